// The IQ types of GGUF that name points of a grid, against ggml's own results (tests/fixtures/gguf/README.md).

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/hash.h"
#include "tensor/block_types.h"
#include "tensor/codecs/iq_grids.h"
#include "tests/formats/reading.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

constexpr size_t kValues = 8 * 256;

struct Type {
  Scheme scheme;
  const char* name;
  size_t block_bytes;
};

class IqBlocks : public testing::TestWithParam<Type> {};

TEST_P(IqBlocks, AreDecodedAsGgmlDoesIt) {
  const auto& [scheme, name, block_bytes] = GetParam();
  const File file = fixture(std::string("gguf/") + name + ".bin");
  const size_t bytes = 8 * block_bytes;
  ASSERT_EQ(file.size(), bytes + kValues * sizeof(float));
  std::vector<float> expected(kValues);
  std::memcpy(expected.data(), file.data() + bytes, kValues * sizeof(float));
  expect_decoded({.name = name,
                  .quantization = {.scheme = scheme},
                  .elements = kValues,
                  .data_bytes = bytes,
                  .payload = std::vector<std::byte>(file.begin(), file.begin() + static_cast<ptrdiff_t>(bytes))},
                 expected);
}

INSTANTIATE_TEST_SUITE_P(Types, IqBlocks,
                         testing::Values(Type{Scheme::iq2_xxs, "iq2_xxs", 66}, Type{Scheme::iq2_xs, "iq2_xs", 74},
                                         Type{Scheme::iq2_s, "iq2_s", 82}, Type{Scheme::iq3_xxs, "iq3_xxs", 98},
                                         Type{Scheme::iq3_s, "iq3_s", 110}, Type{Scheme::iq1_s, "iq1_s", 50},
                                         Type{Scheme::iq1_m, "iq1_m", 56}),
                         [](const auto& type) { return std::string(type.param.name); });

uint64_t hash_of(const iq::Grid& grid) {
  return fnv1a_64({reinterpret_cast<const char*>(grid.point(0)), grid.points() * grid.dimensions()});
}

// The hashes were computed by another program from the tables in ggml-common.h.
TEST(IqGrids, AreThoseOfGgml) {
  EXPECT_EQ(hash_of(iq::iq2_xxs_grid()), 0xbb4ee025b5ac6e8e);
  EXPECT_EQ(hash_of(iq::iq2_xs_grid()), 0xc9b1ee61e79909bd);
  EXPECT_EQ(hash_of(iq::iq2_s_grid()), 0x123edd38a3b62b90);
  EXPECT_EQ(hash_of(iq::iq3_xxs_grid()), 0xdfa5dc83d6a155d5);
  EXPECT_EQ(hash_of(iq::iq3_s_grid()), 0xfa37020c25b44829);
  EXPECT_EQ(hash_of(iq::iq1_grid()), 0x6703ed863501ae2e);
}

}  // namespace
}  // namespace quintet::test
