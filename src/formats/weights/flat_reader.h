#pragma once
// Reads the flat list that the cpp_embedder converter writes under the same magic: tensors one after another, then the
// vocabulary, without metadata, index or checksums.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::weights {

// Whether the first bytes of a file (up to kHeaderBytes) are those of a flat list. The two layouts share their first
// eight bytes: a container is known by its header's checksum, a list by a tensor's name where the container has
// numbers.
bool is_flat(Bytes head);

class FlatReader {
 public:
  FlatReader(ByteStream& in, ModelSink& sink) : in_(in), sink_(sink) {}

  // From the first byte to the last. This object outlives the parse.
  Parse<void> read();

 private:
  Parse<uint32_t> read_tensor_count();
  Parse<void> read_tensor();
  Parse<TensorInfo> read_tensor_header();
  Parse<std::string> read_name();
  Parse<void> read_vocabulary();
  Parse<void> read_end();
  Parse<uint32_t> read_u32();
  Status check_unique() const;

  ByteStream& in_;
  ModelSink& sink_;
  ModelDescription description_;
};

}  // namespace quintet::weights
