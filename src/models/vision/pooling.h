#pragma once
// Pooling, and the operations that only networks of tinyRuntime have.

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/max_pool.h"
#include "models/vision/feature_map.h"
#include "models/vision/work_shares.h"
#include "tensor/batch_norm_folding.h"

namespace quintet::vision {

// 3x3 windows with stride two, padded by one: the pooling after ImageNet's stem. x must not be negative and must have a
// border.
template <class T>
Result<FeatureMap<T>> max_pool(MaxPool<T>* kernel, const FeatureMap<T>& x, size_t border) {
  const auto halved = [](size_t length) { return (length - 1) / 2 + 1; };
  QUINTET_TRY(FeatureMap<T> pooled, FeatureMap<T>::make(halved(x.height), halved(x.width), x.channels, border));
  constexpr size_t kWindow = 9;
  const Partition rows = shares_of(pooled.height, uint64_t{pooled.width} * x.channels * kWindow);
  parallel_for(rows.parts, [&](size_t part, size_t) {
    const auto first = static_cast<ptrdiff_t>(rows.begin(part));
    OutputGrid grid = grid_of(pooled);
    grid.height = rows.end(part) - rows.begin(part);
    kernel(x.at(2 * first - 1, -1), x.row_stride(), pooled.at(first, 0), grid);
  });
  return pooled;
}

// The shortcut without parameters of networks for CIFAR: every second row and column; new channels are zero, half of
// them before the old ones and half after.
template <class T>
Result<FeatureMap<T>> subsampled(const FeatureMap<T>& x, size_t channels, size_t border) {
  const size_t before = (channels - x.channels) / 2;
  QUINTET_TRY(FeatureMap<T> result, FeatureMap<T>::make((x.height + 1) / 2, (x.width + 1) / 2, channels, border));
  for (size_t p = 0; p < result.positions(); ++p) {
    T* pixel = result.pixel(p);
    std::fill_n(pixel, channels, T{0});
    std::copy_n(x.pixel(p / result.width * 2 * x.width + p % result.width * 2), x.channels, pixel + before);
  }
  return result;
}

// One value per channel; `value` converts a T.
template <class T, class Value = std::identity>
std::vector<float> global_max(const FeatureMap<T>& x, Value value = {}) {
  std::vector<float> result(x.channels);
  for (size_t c = 0; c < x.channels; ++c) result[c] = value(x.at(0, 0)[c]);
  for (size_t p = 1; p < x.positions(); ++p) {
    const T* pixel = x.pixel(p);
    for (size_t c = 0; c < x.channels; ++c) result[c] = std::max<float>(result[c], value(pixel[c]));
  }
  return result;
}

// Summed row by row in float32, then divided (docs/formats/tinyruntime.md, "Arithmetic").
template <class T, class Value = std::identity>
std::vector<float> global_average(const FeatureMap<T>& x, Value value = {}) {
  std::vector<float> result(x.channels);
  for (size_t p = 0; p < x.positions(); ++p) {
    const T* pixel = x.pixel(p);
    for (size_t c = 0; c < x.channels; ++c) result[c] += value(pixel[c]);
  }
  for (float& sum : result) sum /= static_cast<float>(x.positions());
  return result;
}

// A batch norm. arrays: gamma, beta, mean and variance, one after another. In double, except for the two sums, which
// are in float (docs/formats/tinyruntime.md, "Arithmetic").
inline void normalize(std::span<const float> arrays, std::span<float> x) {
  const float* const gamma = arrays.data();
  const float *const beta = gamma + x.size(), *const mean = beta + x.size(), *const variance = mean + x.size();
  for (size_t c = 0; c < x.size(); ++c) {
    const double deviation = std::sqrt(double{variance[c] + kBatchNormEpsilon});
    x[c] = static_cast<float>(double{x[c] - mean[c]} / deviation * double{gamma[c]} + double{beta[c]});
  }
}

}  // namespace quintet::vision
