#pragma once
// The first 64 bytes of a .weights file.

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet::weights {

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
  // Where the footer begins. Requires a header that read_header() has let through.
  uint64_t footer_offset() const;
  // Whether the tensor data ends where the footer begins. A reader finds out which of the two numbers is
  // wrong once it knows where the index ends.
  bool data_meets_footer() const;
};

// Whether the header's checksum is that of its bytes. Requires kHeaderBytes bytes.
bool header_checksum_is_right(Bytes bytes);

// Reads and checks all that the header alone can tell; each section lies within the file. Requires kHeaderBytes bytes.
// `file_size` is the length of the input where it is known.
Result<Header> read_header(Bytes bytes, std::optional<uint64_t> file_size);

}  // namespace quintet::weights
