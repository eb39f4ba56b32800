// Resizing against pictures that Pillow resized: bit for bit.

#include <gtest/gtest.h>

#include "base/json.h"
#include "image/resize.h"
#include "tests/golden/fixture.h"

namespace quintet::test {
namespace {

// As the recording program made them.
std::vector<uint8_t> noise_picture(uint32_t seed, size_t samples) {
  std::vector<uint8_t> picture(samples);
  for (uint8_t& sample : picture) {
    seed = seed * 1664525 + 1013904223;
    sample = static_cast<uint8_t>(seed >> 24);
  }
  return picture;
}

TEST(ResizeGolden, EqualsPillow) {
  const std::vector<std::byte> text = read_fixture("images/pil/cases.json");
  const auto cases = parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
  ASSERT_TRUE(cases);
  const std::vector<std::byte> resized = read_fixture("images/pil/resized.bin");
  size_t at = 0;
  for (const Json& c : *cases->as_array()) {
    const auto number = [&](const char* key) { return static_cast<uint32_t>(*c.find(key)->as_uint()); };
    const auto pair = [&](const char* key, size_t axis) {
      return static_cast<uint32_t>(*(*c.find(key)->as_array())[axis].as_uint());
    };
    const auto axis = [&](size_t i) {
      return ResampledAxis{pair("size", i), pair("scaled", i), pair("begin", i), pair("count", i)};
    };
    const Pixels shape{{}, pair("size", 0), pair("size", 1), number("channels")};
    const auto samples = noise_picture(number("seed"), size_t{shape.width} * shape.height * shape.channels);
    const auto result = resize({samples, shape.width, shape.height, shape.channels}, axis(0), axis(1));
    ASSERT_TRUE(result);
    ASSERT_LE(at + result->size(), resized.size());
    for (size_t i = 0; i < result->size(); ++i) {
      ASSERT_EQ((*result)[i], std::to_integer<uint8_t>(resized[at + i])) << "seed " << number("seed") << ", " << i;
    }
    at += result->size();
  }
  EXPECT_EQ(at, resized.size());
}

}  // namespace
}  // namespace quintet::test
