#pragma once
// Reads a GGUF file: header, metadata, tensor index, tensor data.

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::gguf {

class FileReader {
 public:
  FileReader(ByteStream& in, ModelSink& sink) : in_(in), sink_(sink) {}

  // From the first byte to the last. This object outlives the parse.
  Parse<void> read();

 private:
  Parse<void> read_header();
  Parse<void> read_description();
  Parse<void> read_data();
  // The count at that place, of things of which each takes so many bytes.
  Status check_count(uint64_t at, uint64_t count, uint64_t least_bytes) const;
  Status check_file_size(uint64_t data_end) const;
  // Passes over bytes up to `end`, which must be zero.
  Parse<void> padding_until(uint64_t end);
  // Behind the last tensor there may be padding or nothing.
  Parse<void> read_end();

  ByteStream& in_;
  ModelSink& sink_;
  uint64_t tensor_count_ = 0;
  uint64_t value_count_ = 0;
  uint64_t alignment_ = 0;
  ModelDescription description_;
};

}  // namespace quintet::gguf
