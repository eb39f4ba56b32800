// ADAPTIVE's encoder: the size is met to the byte for any values, and is spent where it helps most.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tensor/codecs/adaptive_budget.h"
#include "tests/unit/tensor/codecs/payloads.h"

namespace quintet::test {
namespace {

Quantization adaptive(uint32_t block, Dtype scale_dtype = Dtype::f16) {
  return {.scheme = Scheme::adaptive, .block = block, .scale_dtype = scale_dtype};
}

std::vector<int> codes_of(const StoredTensor& tensor) {
  std::vector<int> codes;
  const uint64_t blocks = block_grid(tensor.quantization, tensor.elements).blocks;
  for (uint64_t i = 0; i < blocks; ++i) codes.push_back(std::to_integer<int>(tensor.payload[i / 4]) >> (i % 4 * 2) & 3);
  return codes;
}

double squared_error(const std::vector<float>& values, const std::vector<float>& back) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += std::pow(static_cast<double>(values[i]) - back[i], 2);
  return sum;
}

// Every size that some choice of codes makes, by trying all counts.
std::set<uint64_t> all_sizes(const Quantization& quantization, uint64_t elements) {
  const BlockGrid grid = block_grid(quantization, elements);
  std::array<uint64_t, kBlockCodes> bytes;
  for (size_t i = 0; i < kBlockCodes; ++i) {
    bytes[i] = adaptive_block_bytes(quantization, grid.values, static_cast<BlockCode>(i));
  }
  std::set<uint64_t> sizes;
  for (uint64_t n5 = 0; n5 <= grid.blocks; ++n5) {
    for (uint64_t n8 = 0; n5 + n8 <= grid.blocks; ++n8) {
      for (uint64_t n16 = 0; n5 + n8 + n16 <= grid.blocks; ++n16) {
        const uint64_t n4 = grid.blocks - n5 - n8 - n16;
        sizes.insert((grid.blocks + 3) / 4 + n4 * bytes[0] + n5 * bytes[1] + n8 * bytes[2] + n16 * bytes[3]);
      }
    }
  }
  return sizes;
}

TEST(AdaptiveBudget, FindsCountsForExactlyTheSizesThatCodesCanMake) {
  for (const uint32_t block : {8u, 16u, 32u, 128u}) {
    for (const Dtype scale_dtype : {Dtype::f16, Dtype::f32}) {
      for (uint64_t blocks = 2; blocks <= 9; ++blocks) {
        const Quantization quantization = adaptive(block, scale_dtype);
        const auto budget = AdaptiveBudget::of(quantization, blocks * block - 3);
        ASSERT_TRUE(budget);
        const std::set<uint64_t> possible = all_sizes(quantization, blocks * block - 3);
        for (uint64_t size = *possible.begin() - 2; size <= *possible.rbegin() + 2; ++size) {
          for (const CodeCounts& wanted : {CodeCounts{}, {.int8 = 3, .fp16 = 2}, {.fp16 = 100}}) {
            const auto counts = budget->counts(size, wanted, 0);
            ASSERT_EQ(counts.has_value(), possible.contains(size)) << block << ' ' << blocks << ' ' << size;
            if (!counts) continue;
            EXPECT_EQ(budget->min() + budget->cost(*counts), size);
            EXPECT_LE(counts->int5 + counts->int8 + counts->fp16, blocks);
          }
        }
      }
    }
  }
}

TEST(AdaptiveBudget, TheBitsAreSpentAndNotOverspent) {
  for (const uint32_t block : {8u, 32u, 128u}) {
    for (const uint64_t blocks : {2u, 3u, 7u, 16u}) {
      const uint64_t elements = blocks * block;
      const std::set<uint64_t> possible = all_sizes(adaptive(block), elements);
      const auto budget = AdaptiveBudget::of(adaptive(block), elements);
      for (double bits = 0; bits < 18; bits += 0.03) {
        const uint64_t size = adaptive_bytes(adaptive(block), elements, bits).value();
        const double paid = bits * static_cast<double>(elements) / 8;
        ASSERT_TRUE(possible.contains(size)) << block << ' ' << blocks << ' ' << bits;
        ASSERT_TRUE(size == budget->min() || static_cast<double>(size) <= paid) << bits;
        // No more is left than a step from INT8 to FP16.
        ASSERT_TRUE(size == *possible.rbegin() || static_cast<double>(size) > paid - block - 1) << bits;
      }
    }
  }
  EXPECT_EQ(adaptive_bytes(adaptive(32), 320, NAN), AdaptiveBudget::of(adaptive(32), 320)->min());
}

TEST(AdaptiveBudget, ASingleBlockHasTheSizeOfItsCode) {
  const Quantization quantization = adaptive(0);
  const auto size = [&](BlockCode code) { return 1 + adaptive_block_bytes(quantization, 129, code); };
  EXPECT_EQ(adaptive_bytes(quantization, 129, 0), size(BlockCode::int4));
  EXPECT_EQ(adaptive_bytes(quantization, 129, 5.3), size(BlockCode::int5));
  EXPECT_EQ(adaptive_bytes(quantization, 129, 9), size(BlockCode::int8));
  EXPECT_EQ(adaptive_bytes(quantization, 129, 17), size(BlockCode::fp16));
}

TEST(AdaptiveBudget, RejectsWhatItCannotMeet) {
  EXPECT_FALSE(adaptive_bytes(adaptive(20), 100, 5));          // several blocks of another size than 8u
  EXPECT_FALSE(adaptive_bytes(adaptive(32), UINT64_MAX, 16));  // no size of 64 bits
  EXPECT_FALSE(make_encoder(Dtype::f32, adaptive(20), 100, 70));
  const uint64_t size = *adaptive_bytes(adaptive(32), 320, 5);
  EXPECT_TRUE(make_encoder(Dtype::f32, adaptive(32), 320, size));
  for (const uint64_t wrong : {uint64_t{0}, size + 1, uint64_t{100000}}) {
    const auto refused = make_encoder(Dtype::f32, adaptive(32), 320, wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, Code::input);
  }
}

TEST(AdaptiveEncoder, MeetsTheSizeForEveryBudget) {
  const std::vector<float> varied = weights_like(32 * 61 - 5, 9, 30);
  const std::vector<float> zeros(varied.size(), 0);
  for (const uint32_t block : {0u, 8u, 32u, 128u}) {
    for (const Dtype scale_dtype : {Dtype::f16, Dtype::f32}) {
      double last_error = INFINITY;
      for (const double bits : {0.0, 4.5, 4.7, 5.0, 6.0, 8.0, 8.6, 9.0, 12.0, 15.9, 16.1, 20.0}) {
        const Quantization quantization = adaptive(block, scale_dtype);
        const uint64_t size = adaptive_bytes(quantization, varied.size(), bits).value();
        for (const auto& values : {varied, zeros}) {
          const auto tensor = expect_encoded(values, Dtype::f32, quantization, size);
          ASSERT_EQ(tensor.payload.size(), size) << block << ' ' << bits;
          const auto back = decoded(tensor, 11);
          ASSERT_TRUE(back) << block << ' ' << bits;
          if (values == zeros) {
            EXPECT_EQ(*back, zeros);
          } else {
            EXPECT_LE(squared_error(values, *back), last_error * 1.0001) << block << ' ' << bits;
            last_error = squared_error(values, *back);
          }
        }
      }
      EXPECT_LT(last_error, 1e-4);
    }
  }
}

TEST(AdaptiveEncoder, GivesThePrecisionToTheSensitiveBlocks) {
  // There are ten blocks: the third has values a hundred times as large, the seventh is zero.
  std::vector<float> values = weights_like(320, 21);
  for (size_t i = 64; i < 96; ++i) values[i] *= 100;
  for (size_t i = 192; i < 224; ++i) values[i] = 0;
  const auto budget = AdaptiveBudget::of(adaptive(32), values.size());
  // The cost of INT8 for one block and of INT5 for two.
  const uint64_t size = budget->min() + budget->int8_cost() + 2 * budget->int5_cost();
  const std::vector<int> codes = codes_of(expect_encoded(values, Dtype::f32, adaptive(32), size));
  EXPECT_EQ(codes[2], 2);
  EXPECT_EQ(codes[6], 0);
  EXPECT_EQ(std::ranges::count(codes, 1), 2);
}

// The best of all choices of codes, found by trying them. Six blocks are few, and a single one in the wrong precision
// counts; the greedy choice stays within three times the least error.
TEST(AdaptiveEncoder, IsNearTheBestChoice) {
  const Quantization quantization = adaptive(8);
  const std::vector<float> values = weights_like(8 * 6, 4, 8);
  const auto budget = AdaptiveBudget::of(quantization, values.size());
  std::vector<std::array<double, kBlockCodes>> errors;
  for (size_t block = 0; block < 6; ++block) {
    const std::vector<float> one(values.begin() + 8 * block, values.begin() + 8 * block + 8);
    errors.emplace_back();
    for (size_t code = 0; code < kBlockCodes; ++code) {
      const uint64_t size = 1 + adaptive_block_bytes(quantization, 8, static_cast<BlockCode>(code));
      const auto back = decoded(*encoded(one, Dtype::f32, quantization, size));
      errors.back()[code] = squared_error(one, *back);
    }
  }
  const uint64_t costs[] = {0, budget->int5_cost(), budget->int8_cost(), budget->fp16_cost()};
  for (double bits = 6.5; bits < 16; bits += 0.5) {
    const uint64_t size = *adaptive_bytes(quantization, values.size(), bits);
    const uint64_t extra = size - budget->min();
    double best = INFINITY;
    for (int choice = 0; choice < 4096; ++choice) {
      double error = 0;
      uint64_t cost = 0;
      for (size_t block = 0; block < 6; ++block) {
        const int code = choice >> (2 * block) & 3;
        error += errors[block][code];
        cost += costs[code];
      }
      if (cost <= extra) best = std::min(best, error);
    }
    const auto tensor = encoded(values, Dtype::f32, quantization, size);
    ASSERT_TRUE(tensor);
    EXPECT_LE(squared_error(values, *decoded(*tensor)), best * 3) << bits;
  }
}

TEST(AdaptiveEncoder, ValuesThatAreNotFiniteAreHalves) {
  std::vector<float> values = weights_like(32 * 16, 2);
  values[40] = INFINITY;
  values[300] = NAN;
  const auto budget = AdaptiveBudget::of(adaptive(32), values.size());
  const uint64_t size = *adaptive_bytes(adaptive(32), values.size(), 7);
  const auto tensor = expect_encoded(values, Dtype::f32, adaptive(32), size);
  EXPECT_EQ(tensor.payload.size(), size);
  const std::vector<int> codes = codes_of(tensor);
  EXPECT_EQ(codes[1], 3);
  EXPECT_EQ(codes[9], 3);
  const auto back = decoded(tensor);
  ASSERT_TRUE(back);
  EXPECT_EQ((*back)[40], INFINITY);
  EXPECT_TRUE(std::isnan((*back)[300]));
  // Two FP16 blocks cost more than this.
  const auto refused = encoded(values, Dtype::f32, adaptive(32), budget->min() + budget->fp16_cost());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::input);
}

TEST(AdaptiveEncoder, ValuesBeyondHalvesStayIntegers) {
  std::vector<float> values = weights_like(32 * 8, 2);
  values[5] = 200000;
  const auto tensor = expect_encoded(values, Dtype::f32, adaptive(32), *adaptive_bytes(adaptive(32), 256, 10));
  EXPECT_NE(codes_of(tensor)[0], 3);
  EXPECT_NEAR((*decoded(tensor))[5], 200000, 200);
  const auto refused = encoded(values, Dtype::f32, adaptive(32), *adaptive_bytes(adaptive(32), 256, 17));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::out_of_range);
}

TEST(AdaptiveEncoder, TinyTensors) {
  for (size_t count = 0; count <= 9; ++count) {
    const std::vector<float> values(count, 0.25F);
    for (const double bits : {0.0, 4.0, 8.0, 16.0, 64.0}) {
      for (const Dtype scale_dtype : {Dtype::f16, Dtype::f32}) {
        const uint64_t size = adaptive_bytes(adaptive(0, scale_dtype), count, bits).value();
        const auto tensor = expect_encoded(values, Dtype::f32, adaptive(0, scale_dtype), size);
        ASSERT_EQ(tensor.payload.size(), size) << count << ' ' << bits;
        const auto back = decoded(tensor);
        ASSERT_TRUE(back);
        for (const float value : *back) EXPECT_NEAR(value, 0.25F, 0.001F);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::test
