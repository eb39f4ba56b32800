#pragma once
// What all readers of payloads share: a payload is a row of steps of known sizes. Steps that lie whole in a piece are
// taken where they are; only the one that a piece cuts is put together here.

#include <array>
#include <cstddef>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

class PiecewiseReader {
 protected:
  static constexpr size_t kMostStepBytes = 256;

  ~PiecewiseReader() = default;

  // The next bytes of the payload, in pieces of any size.
  Status read(Bytes piece);
  // Fails where steps are missing.
  Status read_end() const;

  // Bytes of the next step, at most kMostStepBytes; 0 where the payload is complete.
  virtual size_t step_bytes() const = 0;

  // Takes as many steps as lie at the front of `bytes`, which holds one at least, and returns the bytes they took.
  virtual Result<size_t> take(Bytes bytes) = 0;

 private:
  std::array<std::byte, kMostStepBytes> cut_;
  size_t cut_size_ = 0;
};

}  // namespace quintet
