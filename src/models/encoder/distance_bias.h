#pragma once
// The term that a network adds to the score of a query and a key for their distance, in place of position embeddings or
// in addition to them: a penalty that is linear (ALiBi) or learned for ranges of distances (T5's buckets).

#include <cstddef>
#include <span>

#include "architectures/encoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet::encoder {

class DistanceBias {
 public:
  // `learned` [distance_buckets][heads]; empty for networks without it.
  DistanceBias(const EncoderConfig& config, std::span<const float> learned)
      : config_(config), heads_(static_cast<size_t>(config.n_heads)), learned_(learned) {}

  bool exists() const { return config_.has_alibi || config_.distance_buckets != 0; }
  // For sequences of up to `longest` tokens.
  Status prepare(size_t longest);
  // The values of a head for a query at `position`: element i is that of key i. Valid for keys below `longest`.
  const float* row(size_t head, size_t position) const {
    return values_.data() + head * (2 * longest_ - 1) + (longest_ - 1 - position);
  }
  size_t bytes() const { return values_.capacity() * sizeof(float); }

 private:
  float value_of(size_t head, size_t query, size_t key) const;

  const EncoderConfig& config_;
  size_t heads_;
  std::span<const float> learned_;
  size_t longest_ = 0;
  AlignedBuffer<float> values_;  // [heads][2 * longest - 1]: distances from -(longest - 1) to longest - 1
};

}  // namespace quintet::encoder
