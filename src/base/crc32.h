#pragma once
// CRC-32 as in zlib, PNG and Ethernet (reflected polynomial 0xEDB88320).

#include <cstdint>

#include "base/bytes.h"

namespace quintet {

class Crc32 {
 public:
  void update(Bytes bytes);
  uint32_t value() const { return ~state_; }

 private:
  uint32_t state_ = 0xFFFFFFFF;
};

inline uint32_t crc32(Bytes bytes) {
  Crc32 crc;
  crc.update(bytes);
  return crc.value();
}

// The CRC of A followed by B, from the CRCs of A and of B and the length of B: a file's checksum and that of a
// part of it cost one pass over the bytes.
uint32_t crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

}  // namespace quintet
