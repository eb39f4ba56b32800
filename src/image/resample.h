#pragma once
// How one axis of a picture is resampled: antialiased bilinear, with PIL's numbers.
//
// Each new sample is a weighted mean of the old ones under a triangle that is as wide as two new samples, or two old
// ones where those are wider. Weights are integers of 22 fractional bits, as in PIL, so that the samples are equal to
// PIL's bit for bit.

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet {

// A picture's axis is scaled from `length` to `scaled` samples; of these, `count` from `begin` on are wanted.
struct ResampledAxis {
  uint64_t length = 0;
  uint64_t scaled = 0;
  uint64_t begin = 0;
  uint32_t count = 0;
};

class Resampling {
 public:
  static constexpr int kFractionBits = 22;

  static Result<Resampling> make(const ResampledAxis& axis);

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
  AlignedBuffer<uint32_t> begins_;  // [count]
  AlignedBuffer<size_t> offsets_;   // [count + 1] into weights_
  AlignedBuffer<int32_t> weights_;
};

}  // namespace quintet
