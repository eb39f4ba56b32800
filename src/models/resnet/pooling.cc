#include "models/resnet/pooling.h"

#include <algorithm>
#include <cstring>

namespace quintet::resnet {

void relu(std::span<float> values) {
  for (float& value : values) value = std::max(value, 0.0F);
}

Result<FeatureMap> max_pool(const FeatureMap& x) {
  const auto halved = [](size_t length) { return (length - 1) / 2 + 1; };
  QUINTET_TRY(FeatureMap pooled, FeatureMap::make(halved(x.height), halved(x.width), x.channels));
  for (size_t py = 0; py < pooled.height; ++py) {
    const size_t top = std::max<size_t>(2 * py, 1) - 1;
    const size_t bottom = std::min(2 * py + 2, x.height);
    for (size_t px = 0; px < pooled.width; ++px) {
      const size_t left = std::max<size_t>(2 * px, 1) - 1;
      const size_t right = std::min(2 * px + 2, x.width);
      float* result = pooled.at(py, px);
      std::memcpy(result, x.at(top, left), x.channels * sizeof(float));
      for (size_t y = top; y < bottom; ++y) {
        for (size_t i = left; i < right; ++i) {
          const float* values = x.at(y, i);
          for (size_t c = 0; c < x.channels; ++c) result[c] = std::max(result[c], values[c]);
        }
      }
    }
  }
  return pooled;
}

Result<FeatureMap> subsampled(const FeatureMap& x, size_t channels) {
  const size_t before = (channels - x.channels) / 2;
  QUINTET_TRY(FeatureMap result, FeatureMap::make((x.height + 1) / 2, (x.width + 1) / 2, channels));
  std::ranges::fill(result.values.span(), 0.0F);
  for (size_t y = 0; y < result.height; ++y) {
    for (size_t i = 0; i < result.width; ++i) {
      std::memcpy(result.at(y, i) + before, x.at(2 * y, 2 * i), x.channels * sizeof(float));
    }
  }
  return result;
}

std::vector<float> global_max(const FeatureMap& x) {
  std::vector<float> result(x.at(0, 0), x.at(0, 0) + x.channels);
  for (size_t p = 1; p < x.positions(); ++p) {
    const float* values = x.at(0, p);
    for (size_t c = 0; c < x.channels; ++c) result[c] = std::max(result[c], values[c]);
  }
  return result;
}

std::vector<float> global_average(const FeatureMap& x) {
  std::vector<float> result(x.channels);
  for (size_t p = 0; p < x.positions(); ++p) {
    const float* values = x.at(0, p);
    for (size_t c = 0; c < x.channels; ++c) result[c] += values[c];
  }
  for (float& value : result) value /= static_cast<float>(x.positions());
  return result;
}

}  // namespace quintet::resnet
