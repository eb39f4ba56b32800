#include "image/resample.h"

#include <algorithm>
#include <cmath>

namespace quintet {
namespace {

double triangle(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

int32_t fixed_point(double weight) { return static_cast<int32_t>(0.5 + weight * (1 << Resampling::kFractionBits)); }

}  // namespace

Result<Resampling> Resampling::make(const ResampledAxis& axis) {
  const double scale = static_cast<double>(axis.length) / static_cast<double>(axis.scaled);
  const double radius = std::max(scale, 1.0);

  Resampling result;
  QUINTET_CHECK(result.begins_.resize(axis.count));
  QUINTET_CHECK(result.offsets_.resize(uint64_t{axis.count} + 1));
  QUINTET_CHECK(result.weights_.reserve(axis.count * (static_cast<uint64_t>(2 * radius) + 2)));
  for (uint32_t i = 0; i < axis.count; ++i) {
    const double center = (static_cast<double>(axis.begin + i) + 0.5) * scale;
    const uint64_t begin = static_cast<uint64_t>(std::max(0.0, center - radius + 0.5));
    const uint64_t end = std::min(static_cast<uint64_t>(center + radius + 0.5), axis.length);
    const auto weight = [&](uint64_t sample) {
      return triangle((static_cast<double>(sample) - center + 0.5) / radius);
    };
    double sum = 0;
    for (uint64_t sample = begin; sample < end; ++sample) sum += weight(sample);

    const size_t offset = result.weights_.size();
    QUINTET_CHECK(result.weights_.resize(offset + (end - begin)));
    for (uint64_t sample = begin; sample < end; ++sample) {
      result.weights_[offset + static_cast<size_t>(sample - begin)] = fixed_point(weight(sample) / sum);
    }
    result.begins_[i] = static_cast<uint32_t>(begin);
    result.offsets_[i + 1] = result.weights_.size();
  }
  return result;
}

uint32_t Resampling::end() const {
  const Source last = source(static_cast<uint32_t>(begins_.size() - 1));
  return last.begin + static_cast<uint32_t>(last.weights.size());
}

}  // namespace quintet
