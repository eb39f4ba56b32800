#pragma once
// The list of a GGUF file's tensors, and their types by ggml's numbers.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/result.h"
#include "base/task.h"
#include "formats/model_description.h"
#include "tensor/quantization.h"

namespace quintet::gguf {

struct GgmlType {
  Dtype dtype = Dtype::f32;  // of plain elements
  Scheme scheme = Scheme::none;
  uint32_t block = 1;  // values that are stored together; they lie in one row
};

// UNSUPPORTED, without a place, for types that we cannot decode; the error has their name and those of the others.
Result<GgmlType> ggml_type(uint32_t number);

// Where a tensor's entry has what may be wrong.
struct EntryPlaces {
  uint64_t name = 0;        // its text
  uint64_t dimensions = 0;  // their number; they follow
  uint64_t offset = 0;
};

struct TensorIndex {
  std::vector<TensorInfo> tensors;  // in the order of the file
  std::vector<EntryPlaces> places;
};

// The `count` entries that come next. Offsets are, as in the file, from the beginning of the data.
Parse<TensorIndex> read_tensor_index(ByteStream& in, uint64_t count);

// Makes offsets absolute. Each tensor begins where the padding behind the one before ends, so that every byte belongs
// to something; ggml's own reader demands the same.
Status place_tensors(TensorIndex& index, uint64_t data_begin, uint64_t alignment);

}  // namespace quintet::gguf
