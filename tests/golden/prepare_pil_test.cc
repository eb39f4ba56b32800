// Pictures as transformers and timm prepare them with Pillow, from their configurations: bit for bit.

#include <gtest/gtest.h>

#include "base/json.h"
#include "bindings/image/decode.h"
#include "formats/huggingface/image_preparation.h"
#include "tests/golden/fixture.h"

namespace quintet::test {
namespace {

std::vector<uint8_t> bytes_of(const std::string& name) {
  const std::vector<std::byte> file = read_fixture("images/preprocess/" + name);
  const auto* begin = reinterpret_cast<const uint8_t*>(file.data());
  return {begin, begin + file.size()};
}

Result<PreparedImage> prepare(const Json& c) {
  const Json* config = c.find("preprocessor");
  const auto preparation =
      config ? huggingface::read_preprocessor_config(*config) : huggingface::read_pretrained_cfg(c);
  if (!preparation) return fail(preparation.error());
  const image::Decoded picture = image::decode(bytes_of(*c.find("picture")->as_string()));
  EXPECT_TRUE(picture.pixels);
  const std::span<const uint8_t> samples(picture.pixels.get(), size_t{picture.width} * picture.height * 3);
  return prepare_image({samples, picture.width, picture.height, 3}, *preparation);
}

TEST(PrepareGolden, EqualsThePythonLibraries) {
  const std::vector<uint8_t> text = bytes_of("cases.json");
  const auto cases = parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
  ASSERT_TRUE(cases);
  const std::vector<uint8_t> expected = bytes_of("prepared.bin");
  size_t at = 0;
  for (const Json& c : *cases->as_array()) {
    const std::string name = *c.find("name")->as_string() + " of " + *c.find("picture")->as_string();
    const auto list = [&](const char* key, size_t i) { return *(*c.find(key)->as_array())[i].as_double(); };
    const auto image = prepare(c);
    ASSERT_TRUE(image) << name << ": " << image.error().detail;
    ASSERT_EQ(image->height, list("shape", 1)) << name;
    ASSERT_EQ(image->width, list("shape", 2)) << name;
    const size_t plane = size_t{image->height} * image->width;
    ASSERT_EQ(image->data.size(), 3 * plane);
    ASSERT_LE(at + 3 * plane, expected.size());
    for (size_t i = 0; i < 3 * plane; ++i) {
      const double value = (expected[at + i] / 255.0 - list("mean", i / plane)) / list("std", i / plane);
      // A step of a sample is a thousand times as much.
      ASSERT_NEAR(image->data[i], value, 1e-6 * (1 + std::abs(value))) << name << ", " << i;
    }
    at += 3 * plane;
  }
  EXPECT_EQ(at, expected.size());
}

}  // namespace
}  // namespace quintet::test
