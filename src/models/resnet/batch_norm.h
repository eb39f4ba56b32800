#pragma once
// The batch norms of a ResNet's tail, which no convolution takes in.

#include <array>
#include <cmath>
#include <span>

#include "base/aligned_buffer.h"
#include "tensor/batch_norm_folding.h"

namespace quintet::resnet {

constexpr size_t kNormArrays = 4;

struct TailNorm {
  std::array<AlignedBuffer<float>, kNormArrays> arrays;  // gamma, beta, mean, variance: in the order of files

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const AlignedBuffer<float>& array : arrays) sum += array.capacity() * sizeof(float);
    return sum;
  }

  // In double, but for the two sums in float (RULINGS "tinyRuntime" 5).
  void apply(std::span<float> x) const {
    const auto& [gamma, beta, mean, variance] = arrays;
    for (size_t c = 0; c < x.size(); ++c) {
      const double deviation = std::sqrt(double{variance[c] + kBatchNormEpsilon});
      x[c] = static_cast<float>(double{x[c] - mean[c]} / deviation * double{gamma[c]} + double{beta[c]});
    }
  }
};

}  // namespace quintet::resnet
