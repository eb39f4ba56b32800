#pragma once
// The angles of rotary position embeddings (Su et al. 2021, arXiv:2104.09864): position p rotates pair i by p / scaling
// * base^(-2i / rope_dim). Computed in double, because float angles of late positions would lose the relevant digits.
// With longrope and YaRN, cosines and sines are multiplied by the attention factor.

#include <cstddef>
#include <span>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet::decoder {

class RopeAngles {
 public:
  // `factors` [rope_dim / 2]: from the file; empty to use the configuration.
  RopeAngles(const DecoderConfig& config, std::span<const float> factors);
  // Of the layers with a sliding window.
  static RopeAngles local(const DecoderConfig& config, std::span<const float> factors);

  Status reserve(size_t positions);
  // The angles of the positions [begin, begin + count).
  void set(size_t begin, size_t count);
  // [rope_dim / 2] each, of the i-th of those positions.
  const float* cosines(size_t i) const { return cosines_.data() + i * frequencies_.size(); }
  const float* sines(size_t i) const { return sines_.data() + i * frequencies_.size(); }
  size_t bytes() const { return (cosines_.capacity() + sines_.capacity()) * sizeof(float); }

 private:
  std::vector<double> frequencies_;  // radians per position; empty without rotation
  double scale_;                     // of cosines and sines
  AlignedBuffer<float> cosines_;     // [positions][rope_dim / 2]
  AlignedBuffer<float> sines_;
};

}  // namespace quintet::decoder
