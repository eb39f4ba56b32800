#pragma once
// The end of a pipe of bytes: what is written in pieces goes to its final place, or through another sink. Readers write
// the payload of a tensor into one. Decoders (tensor/codecs/) and repackers (tensor/packed/) are such sinks, and so are
// buffers that store bytes unchanged.

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Receives the next bytes, in pieces of any size.
  virtual Status write(Bytes piece) = 0;
  // All bytes were written: fails if the content is incomplete.
  virtual Status finish() = 0;
};

}  // namespace quintet
