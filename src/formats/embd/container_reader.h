#pragma once
// Reads the .weights container: header, metadata, vocabulary, tensor index, tensor data, footer.

#include <optional>

#include "base/hash.h"
#include "base/task.h"
#include "formats/embd/header.h"
#include "formats/embd/metadata_section.h"
#include "formats/model_sink.h"

namespace quintet::embd {

class ContainerReader {
 public:
  ContainerReader(ByteStream& in, ModelSink& sink, ReadOptions options) : in_(in), sink_(sink), options_(options) {}

  // This object must outlive the parse.
  template <ReadDepth kDepth>
  Parse<void> read();

 private:
  Parse<void> read_metadata_section();
  Parse<void> read_vocabulary_section();
  Parse<void> read_tensor_index();
  Parse<void> read_data_section();
  Parse<void> read_footer();
  Parse<void> read_end();

  // Exactly n bytes, added to the checksum.
  Parse<Bytes> take(uint64_t n);
  // Reads bytes up to `end`, which must be zero. The first that is not is reported at `blame`, or at its own position.
  Parse<void> zeros_until(uint64_t end, std::optional<uint64_t> blame);
  void count_in_checksum(Bytes bytes);
  bool checks_data() const;
  Status check_data_size(uint64_t index_end) const;
  // The field to blame for bytes of the data section that belong to no tensor.
  std::optional<uint64_t> blame_for_gap(const TensorInfo* before, uint64_t gap) const;

  ByteStream& in_;
  ModelSink& sink_;
  ReadOptions options_;
  Header header_;
  Metadata metadata_;
  ModelDescription description_;
  Crc32 sections_crc_;  // of the bytes before the tensor data
  Crc32 data_crc_;      // of the tensor data
  bool in_data_ = false;
};

}  // namespace quintet::embd
