// Attention against its formula in double, token by token, whole and in windows.

#include "models/vision/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/kernels/random.h"
#include "tests/kernels/thread_count.h"
#include "tests/kernels/variants.h"

namespace quintet::vision {
namespace {

using Map = FeatureMap<float>;
using quintet::testing::Random;

Map random_map(size_t height, size_t width, size_t channels, Random& random) {
  Map map = *Map::make(height, width, channels, 0);
  for (size_t p = 0; p < map.positions(); ++p) std::ranges::copy(random.numbers(channels), map.pixel(p));
  return map;
}

std::vector<float> values_of(const Map& map) {
  std::vector<float> values;
  for (size_t p = 0; p < map.positions(); ++p) {
    values.insert(values.end(), map.pixel(p), map.pixel(p) + map.channels);
  }
  return values;
}

// A place of a map that was filled up; null: beyond the picture, where the padding is.
using Row = const float*;

// The result of one query for a head: `bias` is added to the score of each key, minus infinity for those unseen.
std::vector<double> attended(Row query, const std::vector<Row>& keys, size_t width, size_t heads, size_t head,
                             const std::function<double(size_t)>& bias) {
  const size_t dim = width / heads;
  std::vector<double> weights;
  double sum = 0;
  for (size_t key = 0; key < keys.size(); ++key) {
    double score = 0;
    for (size_t i = 0; i < dim; ++i) {
      score += double{query[head * dim + i]} * double{keys[key][width + head * dim + i]};
    }
    weights.push_back(std::exp(score / std::sqrt(static_cast<double>(dim)) + bias(key)));
    sum += weights.back();
  }
  std::vector<double> result(dim);
  for (size_t key = 0; key < keys.size(); ++key) {
    for (size_t i = 0; i < dim; ++i) {
      result[i] += weights[key] / sum * double{keys[key][2 * width + head * dim + i]};
    }
  }
  return result;
}

class Attention : public quintet::testing::EachVariant {};

TEST_P(Attention, EqualsTheFormula) {
  Random random(1);
  for (const auto& [tokens, heads, dim] :
       {std::tuple(1, 1, 1), std::tuple(5, 2, 3), std::tuple(17, 3, 8), std::tuple(50, 1, 20), std::tuple(203, 2, 5)}) {
    const size_t width = static_cast<size_t>(heads * dim);
    const Map qkv = random_map(1, static_cast<size_t>(tokens), 3 * width, random);
    AttentionScratch scratch;
    const auto y = attend(kernels(), qkv, {.op = Op::attention, .heads = static_cast<uint32_t>(heads)}, scratch);
    ASSERT_TRUE(y);
    ASSERT_EQ(y->width, static_cast<size_t>(tokens));
    ASSERT_EQ(y->channels, width);
    std::vector<Row> rows;
    for (size_t p = 0; p < qkv.positions(); ++p) rows.push_back(qkv.pixel(p));
    for (size_t query = 0; query < rows.size(); ++query) {
      for (size_t head = 0; head < static_cast<size_t>(heads); ++head) {
        const auto right =
            attended(rows[query], rows, width, static_cast<size_t>(heads), head, [](size_t) { return 0; });
        for (size_t i = 0; i < right.size(); ++i) {
          ASSERT_NEAR(double{y->pixel(query)[head * right.size() + i]}, right[i], 2e-6) << tokens << ", " << query;
        }
      }
    }
  }
}

TEST_P(Attention, HidesKeysByTheMask) {
  Random random(4);
  constexpr size_t kHeads = 2, kDim = 3, kWidth = kHeads * kDim;
  for (const size_t tokens : {2U, 7U, 100U}) {
    const Map qkv = random_map(1, tokens, 3 * kWidth, random);
    std::vector<Row> rows;
    for (size_t p = 0; p < tokens; ++p) rows.push_back(qkv.pixel(p));
    for (const AttentionMask mask : {AttentionMask::causal, AttentionMask::probe}) {
      const bool is_probe = mask == AttentionMask::probe;
      AttentionScratch scratch;
      const auto y = attend(kernels(), qkv, {.op = Op::attention, .heads = kHeads, .mask = mask}, scratch);
      ASSERT_TRUE(y);
      ASSERT_EQ(y->width, is_probe ? 1 : tokens);
      for (size_t query = 0; query < y->width; ++query) {
        const auto hidden = [&](size_t key) { return (is_probe ? key == 0 : key > query) ? -INFINITY : 0.0; };
        for (size_t head = 0; head < kHeads; ++head) {
          const auto right = attended(rows[query], rows, kWidth, kHeads, head, hidden);
          for (size_t i = 0; i < kDim; ++i) {
            ASSERT_NEAR(double{y->pixel(query)[head * kDim + i]}, right[i], 2e-6) << tokens << ", " << query;
          }
        }
      }
    }
  }
}

struct Windows {
  size_t height, width, side, shift, heads, dim;
};

// Liu et al. 2021, section 3.2: the map is filled up to whole windows and rolled by the shift; tokens see those of
// their window that come from the same part of the picture.
void expect_windows(const Kernels& kernels, const Windows& w, Random& random) {
  const size_t width = w.heads * w.dim, distances = 2 * w.side - 1;
  const Map qkv = random_map(w.height, w.width, 3 * width, random);
  const std::vector<float> table = random.numbers(distances * distances * w.heads), padding = random.numbers(3 * width);
  Node node = {.op = Op::window_attention, .channels = static_cast<uint32_t>(width)};
  node.heads = static_cast<uint32_t>(w.heads);
  node.side = static_cast<uint32_t>(w.side);
  node.shift = static_cast<uint32_t>(w.shift);
  AttentionScratch scratch;
  const auto y = attend_in_windows(kernels, qkv, node, table, padding, scratch);
  ASSERT_TRUE(y) << y.error().detail;

  const size_t rows = (w.height + w.side - 1) / w.side * w.side, columns = (w.width + w.side - 1) / w.side * w.side;
  // A map that is a single window in one direction is not shifted.
  const size_t shift = std::min(w.height, w.width) <= w.side ? 0 : w.shift;
  struct Token {
    size_t row, column;  // in the rolled map
    Row values;
  };
  const auto token_at = [&](size_t row, size_t column) {
    const size_t from_row = (row + shift) % rows, from_column = (column + shift) % columns;
    const bool exists = from_row < w.height && from_column < w.width;
    return Token{row, column, exists ? qkv.pixel(from_row * w.width + from_column) : padding.data()};
  };
  // Whether a place was rolled over the edge.
  const auto rolled = [&](size_t place, size_t length) { return place + shift >= length; };
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const size_t to_row = (row + shift) % rows, to_column = (column + shift) % columns;
      if (to_row >= w.height || to_column >= w.width) continue;
      std::vector<Token> keys;
      std::vector<Row> values;
      for (size_t i = 0; i < w.side * w.side; ++i) {
        keys.push_back(token_at(row / w.side * w.side + i / w.side, column / w.side * w.side + i % w.side));
        values.push_back(keys.back().values);
      }
      const Token query = token_at(row, column);
      for (size_t head = 0; head < w.heads; ++head) {
        const auto right = attended(query.values, values, width, w.heads, head, [&](size_t i) {
          const Token& key = keys[i];
          const bool sees =
              rolled(row, rows) == rolled(key.row, rows) && rolled(column, columns) == rolled(key.column, columns);
          const size_t down = row + w.side - 1 - key.row, across = column + w.side - 1 - key.column;
          return double{table[(down * distances + across) * w.heads + head]} - (sees ? 0 : 100);
        });
        for (size_t i = 0; i < w.dim; ++i) {
          ASSERT_NEAR(double{y->pixel(to_row * w.width + to_column)[head * w.dim + i]}, right[i], 3e-6)
              << w.height << " x " << w.width << ", " << to_row << ", " << to_column;
        }
      }
    }
  }
}

TEST_P(Attention, InWindowsEqualsTheFormula) {
  Random random(2);
  for (const Windows& w : {Windows{4, 4, 4, 0, 2, 4}, Windows{8, 8, 4, 0, 1, 8}, Windows{8, 8, 4, 2, 2, 4},
                           Windows{9, 6, 4, 2, 3, 3}, Windows{7, 13, 3, 1, 1, 5}, Windows{4, 10, 4, 2, 2, 4}}) {
    expect_windows(kernels(), w, random);
  }
}

TEST_P(Attention, GivesTheSameBitsInAnyNumberOfThreads) {
  Random random(3);
  const Map whole = random_map(1, 130, 3 * 12, random), map = random_map(10, 11, 3 * 12, random);
  const std::vector<float> table = random.numbers(25 * 3), padding = random.numbers(36);
  Node node = {.op = Op::window_attention, .channels = 12};
  node.heads = 3;
  node.side = 3;
  node.shift = 1;
  const auto both = [&] {
    AttentionScratch scratch;
    std::vector<float> values = values_of(*attend(kernels(), whole, node, scratch));
    const std::vector<float> windows = values_of(*attend_in_windows(kernels(), map, node, table, padding, scratch));
    values.insert(values.end(), windows.begin(), windows.end());
    return values;
  };
  const std::vector<float> alone = both();
  for (const size_t threads : quintet::testing::kThreadCounts) {
    const quintet::testing::ThreadCount count(threads);
    EXPECT_TRUE(quintet::testing::same_bits(both(), alone)) << threads;
  }
}

TEST_P(Attention, AMapThatIsSmallerThanAWindowIsRejected) {
  Random random(4);
  const Map map = random_map(2, 6, 6, random);
  Node node = {.op = Op::window_attention, .channels = 2};
  node.heads = 1;
  node.side = 3;
  AttentionScratch scratch;
  const auto y = attend_in_windows(kernels(), map, node, random.numbers(25), random.numbers(6), scratch);
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().code, Code::input);
  EXPECT_EQ(y.error().reason, Reason::out_of_range);
}

QUINTET_FOR_EACH_VARIANT(Attention);

}  // namespace
}  // namespace quintet::vision
