#pragma once
// The first 64 bytes of a .weights file.

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet::embd {

struct Header {
  uint16_t version_major = 0;
  uint16_t version_minor = 0;
  uint32_t flags = 0;
  uint32_t metadata_offset = 0;
  uint32_t metadata_size = 0;
  uint32_t vocab_offset = 0;
  uint32_t vocab_size = 0;
  uint32_t tensor_index_offset = 0;
  uint32_t tensor_index_count = 0;
  uint32_t tensor_data_offset = 0;
  uint64_t tensor_data_size = 0;
  uint64_t total_file_size = 0;

  bool has(uint32_t flag) const { return (flags & flag) != 0; }
  // The position of the footer. Requires a header that read_header() accepted.
  uint64_t footer_offset() const;
  // Whether the tensor data ends at the footer. If not, a reader finds the wrong number once it has reached the end of
  // the index.
  bool data_meets_footer() const;
};

// Whether the checksum of the header matches. Requires kHeaderBytes bytes.
bool header_checksum_is_right(Bytes bytes);

// Reads and checks everything that only depends on the header; sections must be within the file. Requires kHeaderBytes
// bytes. `file_size` is the length of the input if it is known.
Result<Header> read_header(Bytes bytes, std::optional<uint64_t> file_size);

}  // namespace quintet::embd
