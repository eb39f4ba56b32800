#include "kernels/late_interaction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/aligned_buffer.h"
#include "kernels/wasm_simd.h"
#include "tests/kernels/random.h"

namespace quintet::testing {
namespace {

constexpr size_t kQueryCounts[] = {0, 1, 3, 32};
constexpr size_t kRowCounts[] = {0, 1, 2, 5, 100, 255, 256, 257, 600};

AlignedBuffer<uint8_t> random_bytes(size_t count, Random& random) {
  AlignedBuffer<uint8_t> bytes;
  EXPECT_TRUE(bytes.resize(count));
  for (uint8_t& byte : bytes.span()) byte = static_cast<uint8_t>(random.integer(0, 255));
  return bytes;
}

TEST(LateInteraction, NearestSignsEqualTheDefinitionAndKeepNearerOnes) {
  Random random(1);
  for (const size_t bytes : {16, 32, 48}) {
    for (const size_t query_count : kQueryCounts) {
      for (const size_t row_count : kRowCounts) {
        const auto queries = random_bytes(query_count * bytes, random), rows = random_bytes(row_count * bytes, random);
        // Random vectors differ in half of their bits, so about every other bound stays.
        std::vector<int32_t> nearest(query_count), definition;
        for (int32_t& distance : nearest) distance = random.integer(0, 1) == 0 ? 1 << 30 : 1;
        definition = nearest;
        const VectorRun all_queries = {queries.data(), query_count, bytes}, all_rows = {rows.data(), row_count, bytes};
        simd128::nearest_signs(all_queries, all_rows, nearest.data());
        scalar::nearest_signs(all_queries, all_rows, definition.data());
        EXPECT_EQ(nearest, definition);
      }
    }
  }
}

using PrepareQueries = void (*)(const VectorRun&, int32_t*);
using LargestProducts = void (*)(const PreparedQueries&, const VectorRun&, const float*, void*, double*);

void expect_definition(PrepareQueries prepare, LargestProducts multiply) {
  Random random(2);
  for (const size_t bytes : {16, 96, 112}) {
    for (const size_t query_count : kQueryCounts) {
      for (const size_t row_count : kRowCounts) {
        const auto queries = random_bytes(query_count * bytes, random), rows = random_bytes(row_count * bytes, random);
        AlignedBuffer<int32_t> prepared, tile;
        ASSERT_TRUE(prepared.resize(query_count * bytes / 2) && tile.resize(kTileRows * bytes / 2));
        std::vector<float> scales(row_count);
        for (float& scale : scales) scale = static_cast<float>(random.integer(1, 1000)) / 1000;
        std::vector<double> largest(query_count, -std::numeric_limits<double>::infinity()), definition = largest;
        const VectorRun all_queries = {queries.data(), query_count, bytes}, all_rows = {rows.data(), row_count, bytes};
        prepare(all_queries, prepared.data());
        multiply({prepared.data(), query_count}, all_rows, scales.data(), tile.data(), largest.data());
        scalar::largest_products(all_queries, all_rows, scales.data(), definition.data());
        EXPECT_EQ(largest, definition);
      }
    }
  }
}

TEST(LateInteraction, LargestProductsEqualTheDefinitionBitForBit) {
  expect_definition(simd128::prepare_queries, simd128::largest_products);
}

#if QUINTET_RELAXED
TEST(LateInteraction, LargestProductsEqualTheDefinitionWithTheDotProductsOfThisEngine) {
  expect_definition(relaxed::prepare_queries, relaxed::largest_products);
}

#if !defined(__wasm__)
TEST(LateInteraction, LargestProductsEqualTheDefinitionWithUnsignedOperands) {
  fused_dot_is_unsigned = true;
  expect_definition(relaxed::prepare_queries, relaxed::largest_products);
  fused_dot_is_unsigned = false;
}
#endif
#endif

}  // namespace
}  // namespace quintet::testing
