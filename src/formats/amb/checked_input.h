#pragma once
// The bytes of an AMB file, with their running checksum.

#include "base/byte_stream.h"
#include "base/hash.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::amb {

class CheckedInput {
 public:
  explicit CheckedInput(ByteStream& in) : in_(in) {}

  // From here on bytes are added to the checksum, and none is skipped.
  void count_bytes() { counts_ = true; }
  bool counts_bytes() const { return counts_; }
  uint32_t checksum() const { return crc_.value(); }

  ByteStream& stream() { return in_; }
  uint64_t offset() const { return in_.offset(); }

  // Exactly n bytes, valid until the next request.
  Parse<Bytes> take(uint64_t n);
  // The next n bytes, without consuming them.
  Parse<Bytes> look(uint64_t n);
  // The next n bytes, to the sink if there is one.
  Parse<void> pass(uint64_t n, ByteSink* sink);
  // The next n bytes must be zero.
  Parse<void> pass_zeros(uint64_t n);

 private:
  ByteStream& in_;
  bool counts_ = false;
  Crc32 crc_;
};

}  // namespace quintet::amb
