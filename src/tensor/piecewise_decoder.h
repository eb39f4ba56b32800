#pragma once
// What all decoders share: a payload is a row of steps of known sizes. Steps that lie whole in a piece are decoded
// where they are; only the one that a piece cuts is put together here.

#include <array>

#include "tensor/payload.h"

namespace quintet {

class PiecewiseDecoder : public PayloadDecoder {
 public:
  Status write(Bytes piece, std::vector<float>& values) final;
  Status finish() final;

 protected:
  static constexpr size_t kMostStepBytes = 256;

  // Bytes of the next step, at most kMostStepBytes; 0 where the payload is complete.
  virtual size_t step_bytes() const = 0;

  // Decodes as many steps as lie at the front of `bytes`, which holds one at least, and returns the bytes they took.
  virtual Result<size_t> decode(Bytes bytes, std::vector<float>& values) = 0;

 private:
  std::array<std::byte, kMostStepBytes> cut_;
  size_t cut_size_ = 0;
};

// `count` new values at the end of `values`, to be filled.
inline std::span<float> append(std::vector<float>& values, size_t count) {
  values.resize(values.size() + count);
  return std::span(values).last(count);
}

}  // namespace quintet
