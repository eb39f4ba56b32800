// The recurrence of a gated DeltaNet in double precision, written from its definition as a product of matrices (Yang et
// al. 2024, arXiv:2412.06464, equation 10), S_t = S_t-1 (a_t (I - beta_t k_t k_t^T)) + beta_t v_t k_t^T, and the causal
// convolution from that of a sum over positions.

#include "models/decoder/delta_net.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/decoder/causal_convolution.h"

namespace quintet::decoder {
namespace {

std::vector<float> random_floats(size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

std::vector<double> scaled(const float* x, size_t count, double length) {
  double sum = 1e-6;
  for (size_t i = 0; i < count; ++i) sum += double{x[i]} * double{x[i]};
  std::vector<double> result(x, x + count);
  for (double& value : result) value *= length / std::sqrt(sum);
  return result;
}

struct Shape {
  const char* name;
  uint64_t key_heads, value_heads, key_dim, value_dim;
  bool is_tiled;
};

class DeltaNet : public testing::TestWithParam<Shape> {
 protected:
  DeltaNet() : sizes_(config()), random_(11) {
    channels_ = random_floats(kRows * sizes_.channels(), random_);
    strengths_ = random_floats(kRows * sizes_.value_heads, random_);
    times_ = random_floats(kRows * sizes_.value_heads, random_);
    biases_ = random_floats(sizes_.value_heads, random_);
    rates_ = random_floats(sizes_.value_heads, random_);
    for (float& rate : rates_) rate = -std::abs(rate);
    state_ = random_floats(sizes_.value_heads * sizes_.head_state(), random_);
  }

  static DecoderConfig config() {
    const Shape& shape = GetParam();
    DecoderConfig config;
    config.delta_key_heads = shape.key_heads;
    config.delta_value_heads = shape.value_heads;
    config.delta_key_dim = shape.key_dim;
    config.delta_value_dim = shape.value_dim;
    config.delta_kernel = 4;
    config.has_tiled_delta_heads = shape.is_tiled;
    return config;
  }

  // The matrix of a head, [value_dim][key_dim], after each row, and the outputs of that row.
  void expect_head(size_t head, const std::vector<float>& outputs, const std::vector<float>& last) const {
    const size_t dk = sizes_.key_dim, dv = sizes_.value_dim, width = sizes_.channels();
    const size_t ratio = sizes_.value_heads / sizes_.key_heads;
    const size_t key_head = GetParam().is_tiled ? head % sizes_.key_heads : head / ratio;
    std::vector<double> s(dv * dk);
    for (size_t i = 0; i < dk; ++i) {
      for (size_t j = 0; j < dv; ++j) s[j * dk + i] = state_[head * dk * dv + i * dv + j];
    }
    for (size_t row = 0; row < kRows; ++row) {
      const float* in = channels_.data() + row * width;
      const auto q = scaled(in + key_head * dk, dk, 1 / std::sqrt(static_cast<double>(dk)));
      const auto k = scaled(in + (sizes_.key_heads + key_head) * dk, dk, 1);
      const float* v = in + 2 * sizes_.key_heads * dk + head * dv;
      const double beta = 1 / (1 + std::exp(-double{strengths_[row * sizes_.value_heads + head]}));
      const double time = double{times_[row * sizes_.value_heads + head]} + double{biases_[head]};
      const double alpha = std::exp(double{rates_[head]} * std::log1p(std::exp(time)));
      std::vector<double> next(dv * dk);
      for (size_t j = 0; j < dv; ++j) {
        for (size_t i = 0; i < dk; ++i) {
          double sum = beta * double{v[j]} * k[i];
          for (size_t m = 0; m < dk; ++m) sum += s[j * dk + m] * alpha * ((m == i ? 1 : 0) - beta * k[m] * k[i]);
          next[j * dk + i] = sum;
        }
      }
      s = next;
      for (size_t j = 0; j < dv; ++j) {
        double output = 0;
        for (size_t i = 0; i < dk; ++i) output += s[j * dk + i] * q[i];
        EXPECT_NEAR(outputs[row * width + 2 * sizes_.key_heads * dk + head * dv + j], output, 2e-5)
            << "head " << head << ", row " << row << ", value " << j;
      }
    }
    for (size_t i = 0; i < dk; ++i) {
      for (size_t j = 0; j < dv; ++j) {
        EXPECT_NEAR(last[head * dk * dv + i * dv + j], s[j * dk + i], 2e-5) << "state of head " << head;
      }
    }
  }

  static constexpr size_t kRows = 9;
  DeltaNetSizes sizes_;
  std::mt19937 random_;
  std::vector<float> channels_, strengths_, times_, biases_, rates_, state_;
};

TEST_P(DeltaNet, IsAProductOfMatrices) {
  for (const size_t piece : {kRows, size_t{1}, size_t{4}}) {
    std::vector<float> channels = channels_, strengths = strengths_, times = times_, state = state_;
    for (size_t begin = 0; begin < kRows; begin += piece) {
      const size_t count = std::min(piece, kRows - begin), heads = sizes_.value_heads;
      const Rows rows = {channels.data() + begin * sizes_.channels(), sizes_.channels()};
      const DeltaSteps steps = {.strengths = {strengths.data() + begin * heads, heads},
                                .decays = {times.data() + begin * heads, heads}};
      prepare_delta_rows(sizes_, {.rates = rates_.data(), .time_biases = biases_.data()}, rows, steps, 0, count);
      const std::vector<float> before = std::exchange(state, std::vector<float>(state.size(), NAN));
      for (size_t head = 0; head < heads; ++head) {
        const size_t at = head * sizes_.head_state();
        scan_delta_head(sizes_, head, rows, steps, count, before.data() + at, state.data() + at);
      }
    }
    for (size_t head = 0; head < sizes_.value_heads; ++head) expect_head(head, channels, state);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, DeltaNet,
                         testing::Values(Shape{"Square", 2, 2, 16, 16, false}, Shape{"Odd", 1, 3, 5, 7, false},
                                         Shape{"Grouped", 2, 6, 13, 23, false}, Shape{"Tiled", 2, 6, 13, 23, true},
                                         Shape{"Single", 1, 1, 1, 1, false}, Shape{"Wide", 1, 1, 3, 37, false}),
                         [](const auto& shape) { return std::string(shape.param.name); });

TEST(CausalConvolution, SumsOverTheLastPositions) {
  constexpr size_t kRows = 9, kChannels = 71;
  std::mt19937 random(5);
  for (const size_t length : {size_t{2}, size_t{4}, size_t{13}}) {
    const size_t before = length - 1;
    const auto kernels = random_floats(kChannels * length, random);
    const auto all = random_floats((before + kRows) * kChannels, random), bias = random_floats(kChannels, random);
    for (const size_t piece : {kRows, size_t{1}, size_t{2}}) {
      std::vector<float> inputs(all.begin(), all.begin() + static_cast<ptrdiff_t>(before * kChannels));
      std::vector<float> rows(all.begin() + static_cast<ptrdiff_t>(before * kChannels), all.end());
      for (size_t begin = 0; begin < kRows; begin += piece) {
        for (size_t first = 0; first < kChannels; first += kConvolvedChannels) {
          convolve_rows({.kernels = kernels.data(), .bias = bias.data(), .channels = kChannels, .length = length},
                        first, {rows.data() + begin * kChannels, kChannels}, std::min(piece, kRows - begin),
                        inputs.data());
        }
      }
      for (size_t row = 0; row < kRows; ++row) {
        for (size_t channel = 0; channel < kChannels; ++channel) {
          double sum = bias[channel];
          for (size_t j = 0; j < length; ++j) {
            sum += double{kernels[channel * length + j]} * double{all[(row + j) * kChannels + channel]};
          }
          EXPECT_NEAR(rows[row * kChannels + channel], sum, 1e-5) << "row " << row << ", channel " << channel;
        }
      }
      EXPECT_TRUE(std::equal(inputs.begin(), inputs.end(), all.end() - static_cast<ptrdiff_t>(inputs.size())));
    }
  }
}

}  // namespace
}  // namespace quintet::decoder
