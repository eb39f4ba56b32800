// Attention's inner products: qk_scores and attention_value.

#include <cmath>

#include "tensor/packed/kv_rows.h"
#include "tests/kernels/random.h"
#include "tests/kernels/variants.h"

namespace quintet::testing {
namespace {

constexpr KvType kTypes[] = {KvType::f32, KvType::f16, KvType::int8, KvType::int4};
constexpr size_t kHeadDims[] = {1, 2, 3, 7, 8, 12, 16, 20, 24, 33, 40, 48, 64, 80, 96, 100, 128};
constexpr size_t kCounts[] = {0, 1, 3, 32, 37, 70};

KvRowLayout layout_of(KvType type, size_t head_dim) {
  const auto layout = kv_row_layout(type, head_dim);
  EXPECT_TRUE(layout);
  return *layout;
}

bool exists(KvType type, size_t head_dim) { return type != KvType::int4 || head_dim % 2 == 0; }

// Rows of a cache, and their values as the definition of the rows has them. Exactly as many bytes as the rows take, so
// that AddressSanitizer sees a read beyond.
struct Cache {
  Cache(KvType type, size_t head_dim, size_t count, std::vector<float> values)
      : layout(layout_of(type, head_dim)), bytes(count * layout.bytes), decoded(count * head_dim) {
    for (size_t i = 0; i < count; ++i) {
      encode_kv_row(layout, values.data() + i * head_dim, bytes.data() + i * layout.bytes);
      decode_kv_row(layout, bytes.data() + i * layout.bytes, decoded.data() + i * head_dim);
    }
  }
  KvRows first(size_t count) const { return {.layout = layout, .data = bytes.data(), .count = count}; }
  const float* row(size_t i) const { return decoded.data() + i * layout.head_dim; }

  KvRowLayout layout;
  std::vector<std::byte> bytes;
  std::vector<float> decoded;
};

Cache random_cache(KvType type, size_t head_dim, size_t count, Random& random) {
  return Cache(type, head_dim, count, random.numbers(count * head_dim));
}

// Calls check(cache, rows) for all types and many sizes.
template <class Check>
void for_each_case(Random& random, Check check) {
  for (const KvType type : kTypes) {
    for (const size_t head_dim : kHeadDims) {
      if (!exists(type, head_dim)) continue;
      for (const size_t count : kCounts) {
        const size_t rows = static_cast<size_t>(random.integer(1, 9));
        SCOPED_TRACE(::testing::Message() << "type " << static_cast<int>(type) << ", head_dim " << head_dim << ", "
                                          << count << " positions, " << rows << " rows");
        check(random_cache(type, head_dim, count, random), count, rows);
      }
    }
  }
}

class QkScores : public EachVariant {
 protected:
  std::vector<float> run(const Cache& cache, size_t count, const float* query, size_t stride, size_t rows,
                         float alpha) const {
    std::vector<float> scores(rows * (count + 1), 7);
    kernels().qk_scores({.queries = {query, stride},
                         .rows = rows,
                         .keys = cache.first(count),
                         .alpha = alpha,
                         .scores = {scores.data(), count + 1}});
    return scores;
  }
};

TEST_P(QkScores, EqualTheFormula) {
  Random random(1);
  for_each_case(random, [&](const Cache& cache, size_t count, size_t rows) {
    const size_t head_dim = cache.layout.head_dim, stride = head_dim + 3;
    const std::vector<float> query = random.numbers(rows * stride);
    const std::vector<float> scores = run(cache, count, query.data(), stride, rows, 0.125f);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < count; ++i) {
        double sum = 0, size = 0;
        for (size_t d = 0; d < head_dim; ++d) {
          const double product = double{query[r * stride + d]} * double{cache.row(i)[d]};
          sum += product;
          size += std::fabs(product);
        }
        ASSERT_NEAR(double{scores[r * (count + 1) + i]}, sum / 8,
                    size / 8 * static_cast<double>(head_dim + 4) * 0x1p-24);
      }
      ASSERT_EQ(scores[r * (count + 1) + count], 7) << "beyond the scores";
    }
  });
}

TEST_P(QkScores, ARowIsTheSameAloneAndAmongOthers) {
  Random random(2);
  for_each_case(random, [&](const Cache& cache, size_t count, size_t rows) {
    const size_t head_dim = cache.layout.head_dim;
    const std::vector<float> query = random.numbers(rows * head_dim);
    const std::vector<float> all = run(cache, count, query.data(), head_dim, rows, 1);
    for (size_t r = 0; r < rows; ++r) {
      const std::vector<float> alone = run(cache, count, query.data() + r * head_dim, head_dim, 1, 1);
      const std::vector<float> among(all.begin() + static_cast<ptrdiff_t>(r * (count + 1)),
                                     all.begin() + static_cast<ptrdiff_t>((r + 1) * (count + 1)));
      ASSERT_TRUE(same_bits(alone, among)) << r;
    }
  });
}

// Rows in FP16 are finite: KvCache.RowsThatFp16CannotHoldAreTold.
TEST_P(QkScores, InfinityAndNanStayInTheirPosition) {
  for (const KvType type : {KvType::f32, KvType::int8, KvType::int4}) {
    constexpr size_t kHeadDim = 20, kPositions = 9;
    std::vector<float> values(kPositions * kHeadDim, 1);
    values[2 * kHeadDim + 5] = NAN;
    values[4 * kHeadDim + 19] = INFINITY;
    values[6 * kHeadDim] = -INFINITY;
    const Cache cache(type, kHeadDim, kPositions, values);
    const std::vector<float> query(5 * kHeadDim, 0.5f);
    const std::vector<float> scores = run(cache, kPositions, query.data(), kHeadDim, 5, 1);
    const bool floats = type == KvType::f32;
    for (size_t r = 0; r < 5; ++r) {
      const float* row = scores.data() + r * (kPositions + 1);
      EXPECT_TRUE(std::isnan(row[2]));
      EXPECT_EQ(row[4] == INFINITY, floats);
      EXPECT_EQ(row[6] == -INFINITY, floats);
      EXPECT_EQ(std::isnan(row[4]) && std::isnan(row[6]), !floats);
      for (const size_t i : {0, 1, 3, 5, 7, 8}) EXPECT_NEAR(double{row[i]}, 10, 0.01);
    }
  }
}

TEST_P(QkScores, AllHalvesAreReadExactly) {
  const KvRowLayout layout = layout_of(KvType::f16, 8);
  const std::vector<float> query = {1, 0, 0, 0, 0, 0, 0, 0};
  for (uint32_t half = 0; half < 0x7c00; half += 7) {
    for (const uint32_t sign : {0u, 0x8000u}) {
      std::vector<uint16_t> row(8);
      row[0] = static_cast<uint16_t>(half | sign);
      float score = 0;
      kernels().qk_scores({.queries = {query.data(), 8},
                           .rows = 1,
                           .keys = {.layout = layout, .data = bytes_of(row.data()), .count = 1},
                           .alpha = 1,
                           .scores = {&score, 1}});
      const int exponent = static_cast<int>(half >> 10);
      const double digits = exponent == 0 ? half : (half & 0x3ff) + 0x400;
      const float expected =
          static_cast<float>(std::ldexp(digits, std::max(exponent, 1) - 25)) * (sign == 0 ? 1.0f : -1.0f);
      ASSERT_EQ(score, expected) << half;
    }
  }
}

QUINTET_FOR_EACH_VARIANT(QkScores);

class AttentionValue : public EachVariant {
 protected:
  std::vector<float> run(const Cache& cache, size_t count, const float* weights, size_t stride, size_t rows,
                         std::vector<float> out, size_t out_stride) const {
    kernels().attention_value(
        {.weights = {weights, stride}, .rows = rows, .values = cache.first(count), .out = {out.data(), out_stride}});
    return out;
  }
};

TEST_P(AttentionValue, AddsToTheOutput) {
  Random random(3);
  for_each_case(random, [&](const Cache& cache, size_t count, size_t rows) {
    const size_t head_dim = cache.layout.head_dim, stride = count + 2, out_stride = head_dim + 5;
    const std::vector<float> weights = random.numbers(rows * stride), before = random.numbers(rows * out_stride);
    const std::vector<float> out = run(cache, count, weights.data(), stride, rows, before, out_stride);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t d = 0; d < out_stride; ++d) {
        double sum = double{before[r * out_stride + d]};
        if (d >= head_dim) {
          ASSERT_EQ(out[r * out_stride + d], before[r * out_stride + d]) << "beyond the row";
          continue;
        }
        double size = std::fabs(sum);
        for (size_t i = 0; i < count; ++i) {
          const double product = double{weights[r * stride + i]} * double{cache.row(i)[d]};
          sum += product;
          size += std::fabs(product);
        }
        ASSERT_NEAR(double{out[r * out_stride + d]}, sum, size * static_cast<double>(count + 4) * 0x1p-24);
      }
    }
  });
}

TEST_P(AttentionValue, ARowIsTheSameAloneAndAmongOthersAndInSeveralCalls) {
  Random random(4);
  for_each_case(random, [&](const Cache& cache, size_t count, size_t rows) {
    const size_t head_dim = cache.layout.head_dim;
    const std::vector<float> weights = random.numbers(rows * count + 1), before = random.numbers(rows * head_dim);
    const std::vector<float> all = run(cache, count, weights.data(), count, rows, before, head_dim);
    const size_t first = static_cast<size_t>(random.integer(0, static_cast<int>(count)));
    for (size_t r = 0; r < rows; ++r) {
      const auto begin = static_cast<ptrdiff_t>(r * head_dim), end = static_cast<ptrdiff_t>((r + 1) * head_dim);
      std::vector<float> alone(before.begin() + begin, before.begin() + end);
      const ConstRows row_weights = {weights.data() + r * count, count};
      const Rows row_out = {alone.data(), head_dim};
      kernels().attention_value({.weights = row_weights, .rows = 1, .values = cache.first(first), .out = row_out});
      const KvRows others = {.layout = cache.layout, .data = cache.first(count).row(first), .count = count - first};
      kernels().attention_value(
          {.weights = row_weights.from_column(first), .rows = 1, .values = others, .out = row_out});
      ASSERT_TRUE(same_bits(alone, std::vector<float>(all.begin() + begin, all.begin() + end))) << r;
    }
  });
}

TEST_P(AttentionValue, NanStaysInItsGroup) {
  for (const KvType type : {KvType::f32, KvType::int8, KvType::int4}) {
    constexpr size_t kHeadDim = 64, kPositions = 40;
    std::vector<float> values(kPositions * kHeadDim, 1);
    values[35 * kHeadDim + 41] = NAN;
    const Cache cache(type, kHeadDim, kPositions, values);
    const std::vector<float> weights(5 * kPositions, 0.25f);
    const std::vector<float> out =
        run(cache, kPositions, weights.data(), kPositions, 5, std::vector<float>(5 * kHeadDim), kHeadDim);
    const bool floats = type == KvType::f32;
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t d = i % kHeadDim;
      const bool affected = floats ? d == 41 : d >= 32;
      ASSERT_EQ(std::isnan(out[i]), affected) << d;
      if (!affected) {
        ASSERT_NEAR(double{out[i]}, 10, 0.02) << d;
      }
    }
  }
}

TEST_P(AttentionValue, InfinityStaysInfinite) {
  std::vector<float> values(3 * 12, 1);
  values[12 + 3] = INFINITY;
  values[12 + 11] = -INFINITY;
  const Cache cache(KvType::f32, 12, 3, values);
  const std::vector<float> weights = {1, 1, 1};
  const std::vector<float> out = run(cache, 3, weights.data(), 3, 1, std::vector<float>(12), 12);
  for (size_t d = 0; d < 12; ++d) EXPECT_EQ(out[d], d == 3 ? INFINITY : d == 11 ? -INFINITY : 3) << d;
}

QUINTET_FOR_EACH_VARIANT(AttentionValue);

}  // namespace
}  // namespace quintet::testing
