#pragma once
// Random operands of a benchmark.

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace quintet::bench {

// Nearly normal, like weights and activations of models: the time that a kernel takes may depend on how many are large.
inline std::vector<float> random_floats(size_t count) {
  std::minstd_rand random(1);
  std::vector<float> values(count);
  for (float& value : values) {
    for (int i = 0; i < 4; ++i) value += static_cast<float>(random() % 2001) * 0.0005f - 0.5f;
  }
  return values;
}

inline PackedMatrix random_f32_weights(size_t rows, size_t cols) {
  const std::vector<float> values = random_floats(rows * cols);
  PackedMatrix matrix(Storage::f32, rows, cols);
  if (!matrix.append_rows(reinterpret_cast<const std::byte*>(values.data()), rows)) std::abort();
  return matrix;
}

// Nearly normal as well.
inline PackedMatrix random_i8_weights(size_t rows, size_t cols, size_t group) {
  std::minstd_rand random(1);
  std::vector<int8_t> values(rows * cols);
  for (int8_t& value : values) {
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<int>(random() % 255) - 127;
    value = static_cast<int8_t>(sum / 4);
  }
  PackedMatrix matrix(Storage::i8, rows, cols, group);
  const std::vector<float> scales(rows * matrix.groups(), 0.001f);
  if (!matrix.append_rows(reinterpret_cast<const std::byte*>(values.data()), rows)) std::abort();
  if (!matrix.set_scales(scales)) std::abort();
  return matrix;
}

inline float largest_difference(std::span<const float> a, std::span<const float> b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace quintet::bench
