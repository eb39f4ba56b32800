#pragma once
// Reads the flat list that the cpp_embedder converter writes under the same magic number: tensors, then the vocabulary,
// without metadata, index or checksums (docs/formats/weights.md, "Flat layout").

#include <optional>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::embd {

// Whether the first bytes of a file (up to kHeaderBytes) are a flat list. Both layouts have the same first eight bytes:
// a container is recognized by the checksum of its header, a list by a tensor name in the place of numbers.
bool is_flat(Bytes head);

class FlatReader {
 public:
  FlatReader(ByteStream& in, ModelSink& sink) : in_(in), sink_(sink) {}

  // Reads the whole file. This object must outlive the parse.
  Parse<void> read();

 private:
  // A tensor whose data is held in memory.
  struct Held {
    size_t tensor = 0;  // in the description
    std::unique_ptr<ByteSink> sink;
    bool announced = false;
    AlignedBuffer<std::byte> data;
  };

  Parse<uint32_t> read_tensor_count();
  Parse<void> read_tensor();
  Parse<TensorInfo> read_tensor_header();
  Parse<std::string> read_name();
  // Whether linear weights are stored [in, out] instead of [out, in], which the intermediate layer shows, the only one
  // that is not square. Called for every tensor as it is stored.
  void learn_order(const TensorInfo& stored);
  // A linear weight that must be transposed, or whose order only a later tensor shows.
  Parse<void> hold(TensorInfo& info);
  // Passes held data to the sinks, once the order is known or all tensors were read.
  Status release();
  Status write_held(Held& held, const TensorInfo& info);
  Parse<void> read_vocabulary();
  Parse<void> read_end();
  Parse<uint32_t> read_u32();
  Status check_unique() const;

  ByteStream& in_;
  ModelSink& sink_;
  ModelDescription description_;
  std::optional<bool> transposed_;
  uint64_t hidden_ = 0;                     // columns of the word embeddings, 0 while unknown
  std::optional<TensorInfo> intermediate_;  // the first intermediate weight, as it is stored
  std::vector<Held> held_;                  // in the order of the file
};

}  // namespace quintet::embd
