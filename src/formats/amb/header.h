#pragma once
// The 28 bytes that an AMB file begins with.

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet::amb {

struct Header {
  uint16_t flags = 0;
  uint32_t metadata_size = 0, config_size = 0, tokenizer_size = 0;
  uint64_t weights_size = 0;
  uint64_t file_size = 0;  // by the sizes above

  bool has_checksum() const;
};

// `bytes`: as many of the header's as the file has. `total`: the file's length where it is known.
Result<Header> read_header(Bytes bytes, std::optional<uint64_t> total);

}  // namespace quintet::amb
