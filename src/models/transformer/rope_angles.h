#pragma once
// The angles of rotary position embeddings (Su et al. 2021, arXiv:2104.09864): position p rotates pair i by p times the
// frequency of the pair. Computed in double, because float angles of late positions would lose the relevant digits.

#include <cstddef>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet {

class RopeAngles {
 public:
  // `frequencies`: radians per position, one for each pair; none without rotation. `scale`: of cosines and sines.
  explicit RopeAngles(std::vector<double> frequencies = {}, double scale = 1)
      : frequencies_(std::move(frequencies)), scale_(scale) {}

  Status reserve(size_t positions);
  // The angles of the positions [begin, begin + count), in place of others or after them.
  void set(size_t begin, size_t count) {
    clear();
    append(begin, count);
  }
  void clear() { count_ = 0; }
  void append(size_t begin, size_t count);
  size_t pairs() const { return frequencies_.size(); }
  // [pairs] each, of the i-th of those positions.
  const float* cosines(size_t i) const { return cosines_.data() + i * frequencies_.size(); }
  const float* sines(size_t i) const { return sines_.data() + i * frequencies_.size(); }
  size_t bytes() const { return (cosines_.capacity() + sines_.capacity()) * sizeof(float); }

 private:
  std::vector<double> frequencies_;
  double scale_;
  size_t count_ = 0;              // positions
  AlignedBuffer<float> cosines_;  // [positions][pairs]
  AlignedBuffer<float> sines_;
};

}  // namespace quintet
