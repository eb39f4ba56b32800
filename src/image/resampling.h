#pragma once
// Sampling along one axis of a scaled picture, as PIL computes it.

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "image/resize.h"

namespace quintet {

// Each new sample is a weighted mean of old ones. As in PIL, weights are integers with kWeightBits fractional bits, so
// that samples are bit-identical to PIL's.
constexpr int kWeightBits = 22;

class Resampling {
 public:
  // INPUT if the weights would take too much memory, which only lines of tens of millions of pixels need.
  static Result<Resampling> make(const ResampledAxis& axis, ResizeFilter filter);

  // The old samples that new sample i (of `count`) reads, and their weights.
  struct Source {
    uint32_t begin;
    std::span<const int32_t> weights;
  };
  Source source(uint32_t i) const {
    return {begins_[i], {weights_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]}};
  }
  // All old samples that are read are in [first, end).
  uint32_t first() const { return begins_[0]; }
  uint32_t end() const;

 private:
  Status take_nearest(const ResampledAxis& axis, double scale);

  AlignedBuffer<uint32_t> begins_;  // [count]
  AlignedBuffer<size_t> offsets_;   // [count + 1] into weights_
  AlignedBuffer<int32_t> weights_;
};

}  // namespace quintet
