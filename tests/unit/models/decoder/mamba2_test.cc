// The recurrence of Mamba-2 against its other form, in which each output is a weighted sum over all inputs before it
// (Dao and Gu 2024, arXiv:2405.21060, section 3.2), and the gated norm against its definition.

#include "models/decoder/mamba2.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/registry.h"

namespace quintet::decoder {
namespace {

std::vector<float> random_floats(size_t count, std::mt19937& random, float scale = 1) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = scale * normal(random);
  return values;
}

struct Problem {
  Problem(const Mamba2Sizes& of, size_t rows) : sizes(of), count(rows) {
    std::mt19937 random(7);
    channels = random_floats(count * sizes.channels(), random);
    times = random_floats(count * sizes.heads, random);
    rates = random_floats(sizes.heads, random);
    for (float& rate : rates) rate = -std::abs(rate);
    biases = random_floats(sizes.heads, random);
    skips = random_floats(sizes.heads, random);
    state = random_floats(sizes.heads * sizes.head_state(), random);
  }

  Mamba2Heads heads() const { return {rates.data(), biases.data(), skips.data(), 0.75F}; }

  // Head, row and channel of y by the sum over all rows before.
  double expected(size_t head, size_t row, size_t channel) const {
    const auto step = [&](size_t at) {
      return std::log1p(std::exp(0.75 * times[at * sizes.heads + head] + double{biases[head]}));
    };
    const size_t group = head * sizes.groups / sizes.heads;
    const auto at = [&](size_t of_row, size_t column) { return double{channels[of_row * sizes.channels() + column]}; };
    const size_t x = head * sizes.head_dim() + channel, b = sizes.inner + group * sizes.state;
    const size_t c = b + sizes.groups * sizes.state;
    double sum = skips[head] * at(row, x), passed = 0;
    for (size_t from = row + 1; from-- > 0;) {
      double dot = 0;
      for (size_t i = 0; i < sizes.state; ++i) dot += at(row, c + i) * at(from, b + i);
      sum += dot * std::exp(passed) * step(from) * at(from, x);
      passed += step(from) * rates[head];
    }
    for (size_t i = 0; i < sizes.state; ++i) {
      sum += at(row, c + i) * std::exp(passed) * state[(head * sizes.head_dim() + channel) * sizes.state + i];
    }
    return sum;
  }

  Mamba2Sizes sizes;
  size_t count;
  std::vector<float> channels, times, rates, biases, skips, state;
};

// The rows in pieces of a length, after one another.
std::vector<float> scanned(const Problem& problem, size_t piece) {
  const Mamba2Sizes& sizes = problem.sizes;
  std::vector<float> rows = problem.channels, state = problem.state;
  for (size_t begin = 0; begin < problem.count; begin += piece) {
    const size_t count = std::min(piece, problem.count - begin);
    const std::vector<float> before = std::exchange(state, std::vector<float>(state.size(), NAN));
    for (size_t head = 0; head < sizes.heads; ++head) {
      const size_t at = head * sizes.head_state();
      scan_head(sizes, problem.heads(), head, {rows.data() + begin * sizes.channels(), sizes.channels()},
                {problem.times.data() + begin * sizes.heads, sizes.heads}, count, before.data() + at,
                state.data() + at);
    }
  }
  return rows;
}

constexpr Mamba2Sizes kOddSizes[] = {
    {.heads = 1, .groups = 1, .inner = 1, .state = 1},   {.heads = 6, .groups = 2, .inner = 18, .state = 7},
    {.heads = 4, .groups = 4, .inner = 20, .state = 16}, {.heads = 3, .groups = 1, .inner = 24, .state = 13},
    {.heads = 2, .groups = 1, .inner = 6, .state = 33},
};

TEST(Mamba2, IsTheSumOverAllInputsBefore) {
  for (const Mamba2Sizes& sizes : kOddSizes) {
    const Problem problem(sizes, 11);
    const std::vector<float> rows = scanned(problem, problem.count);
    for (size_t row = 0; row < problem.count; ++row) {
      for (size_t i = 0; i < sizes.inner; ++i) {
        const double expected = problem.expected(i / sizes.head_dim(), row, i % sizes.head_dim());
        EXPECT_NEAR(rows[row * sizes.channels() + i], expected, 1e-4 * (1 + std::abs(expected)))
            << sizes.heads << " heads, row " << row << ", channel " << i;
      }
    }
  }
}

TEST(Mamba2, ContinuesFromItsState) {
  for (const Mamba2Sizes& sizes : kOddSizes) {
    const Problem problem(sizes, 9);
    EXPECT_EQ(scanned(problem, 4), scanned(problem, problem.count));
  }
}

TEST(Mamba2, NormalizesTheGatedChannelsOfEachGroup) {
  const Mamba2Sizes sizes = {.heads = 6, .groups = 2, .inner = 18, .state = 7};
  std::mt19937 random(3);
  const std::vector<float> y = random_floats(2 * sizes.inner, random), z = random_floats(2 * sizes.inner, random);
  const std::vector<float> gamma = random_floats(sizes.inner, random);
  for (const Kernels* kernels : compiled_kernels()) {
    for (const bool has_norm : {false, true}) {
      std::vector<float> gates = z;
      gate_rows(sizes, *kernels, {has_norm ? gamma.data() : nullptr, 1e-3F, 0.5F}, {gates.data(), sizes.inner},
                {y.data(), sizes.inner}, 2);
      for (size_t i = 0; i < gates.size(); ++i) {
        const auto gated = [&](size_t at) { return y[at] * 0.5 * z[at] / (1 + std::exp(-0.5 * z[at])); };
        const size_t begin = i / 9 * 9;
        double squares = 0;
        for (size_t at = begin; at < begin + 9; ++at) squares += gated(at) * gated(at);
        const double norm = gamma[i % sizes.inner] / std::sqrt(squares / 9 + 1e-3);
        EXPECT_NEAR(gates[i], gated(i) * (has_norm ? norm : 1), 1e-5) << kernels->name << ", channel " << i;
      }
    }
  }
}

}  // namespace
}  // namespace quintet::decoder
