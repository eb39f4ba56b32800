#include "tests/golden/weight_forms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/half.h"

namespace quintet::test {
namespace {

std::vector<float> row_of(const PackedMatrix& matrix, size_t row) {
  std::vector<float> values(matrix.cols());
  matrix.read_row(row, values.data());
  return values;
}

WeightMatrix as_floats(const PackedMatrix& matrix) {
  PackedMatrix floats(Storage::f32, matrix.rows(), matrix.cols());
  for (size_t row = 0; row < matrix.rows(); ++row) {
    const std::vector<float> values = row_of(matrix, row);
    EXPECT_TRUE(floats.append_rows(std::as_bytes(std::span(values)).data(), 1));
  }
  return floats;
}

WeightMatrix as_halves(const PackedMatrix& matrix) {
  PackedMatrix halves(Storage::f16, matrix.rows(), matrix.cols());
  for (size_t row = 0; row < matrix.rows(); ++row) {
    std::vector<uint16_t> values;
    for (const float value : row_of(matrix, row)) values.push_back(f32_to_f16(value));
    EXPECT_TRUE(halves.append_rows(std::as_bytes(std::span(values)).data(), 1));
  }
  return halves;
}

constexpr size_t kBlock = 32;

// Weights that are as random as the values, of any number of bits.
std::vector<int8_t> steps(std::span<const float> values, int max) {
  std::vector<int8_t> q;
  for (const float value : values) q.push_back(static_cast<int8_t>(std::lround(value * 4096) % (max + 1)));
  return q;
}

template <BlockBits kBits>
WeightMatrix as_blocks(const PackedMatrix& matrix) {
  BlockMatrix blocks({.bits = kBits, .rows = matrix.rows(), .cols = matrix.cols(), .block = kBlock});
  const int max = (1 << (static_cast<int>(kBits) - 1)) - 1;
  const std::vector<float> scales(blocks.blocks(), 0.5F / static_cast<float>(max));
  for (size_t row = 0; row < matrix.rows(); ++row) {
    EXPECT_TRUE(blocks.append_row(steps(row_of(matrix, row), max), scales));
  }
  return blocks;
}

// Blocks of each precision in turn.
WeightMatrix as_adaptive(const PackedMatrix& matrix) {
  AdaptiveMatrix adaptive(matrix.rows(), matrix.cols(), kBlock);
  size_t count = 0;
  for (size_t row = 0; row < matrix.rows(); ++row) {
    const std::vector<float> values = row_of(matrix, row);
    for (size_t column = 0; column < matrix.cols(); column += kBlock) {
      const std::span<const float> block = std::span(values).subspan(column, kBlock);
      const auto code = static_cast<BlockCode>(count++ % kBlockCodes);
      if (code == BlockCode::fp16) {
        std::vector<uint16_t> halves;
        for (const float value : block) halves.push_back(f32_to_f16(value));
        EXPECT_TRUE(adaptive.append_halves(halves));
      } else {
        const int max = code == BlockCode::int4 ? 7 : code == BlockCode::int5 ? 15 : 127;
        EXPECT_TRUE(adaptive.append_block(code, steps(block, max), 0.5F / static_cast<float>(max)));
      }
    }
  }
  return adaptive;
}

}  // namespace

std::span<const WeightForm> weight_forms() {
  static const WeightForm forms[] = {{"f32", as_floats},
                                     {"f16", as_halves},
                                     {"int4", as_blocks<BlockBits::four>},
                                     {"int5", as_blocks<BlockBits::five>},
                                     {"int8", as_blocks<BlockBits::eight>},
                                     {"adaptive", as_adaptive}};
  return forms;
}

decoder::Weights weights_in(const WeightForm& form, const PlainDecoder& plain) {
  decoder::Weights weights = float_weights(plain);
  const auto change = [&](WeightMatrix& weight) { weight = form.recode(std::get<PackedMatrix>(weight)); };
  for (decoder::Layer& layer : weights.layers) {
    layer.Modules::for_each_module([&](decoder::Module& module) {
      if (rows_of(module.matrix) != 0) change(module.matrix);
    });
  }
  if (weights.shared.has(decoder::TensorKind::output)) change(weights.shared[decoder::TensorKind::output].matrix);
  return weights;
}

}  // namespace quintet::test
