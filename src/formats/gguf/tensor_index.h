#pragma once
// The tensor list of a GGUF file, and ggml's numbers of their types.

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
  uint32_t block = 1;  // values that are stored together, within a row
};

// UNSUPPORTED, without an offset, for types that cannot be decoded. The error names the type and the supported ones.
Result<GgmlType> ggml_type(uint32_t number);

// Positions in a tensor's entry, for errors.
struct EntryPlaces {
  uint64_t name = 0;        // its text
  uint64_t dimensions = 0;  // their number; they follow
  uint64_t offset = 0;
};

struct TensorIndex {
  std::vector<TensorInfo> tensors;  // in the order of the file
  std::vector<EntryPlaces> places;
};

// Reads the next `count` entries. As in the file, offsets are relative to the start of the data.
Parse<TensorIndex> read_tensor_index(ByteStream& in, uint64_t count);

// Makes offsets absolute. Each tensor must start where the padding after the previous one ends, so that every byte
// belongs to something; ggml's own reader requires the same.
Status place_tensors(TensorIndex& index, uint64_t data_begin, uint64_t alignment);

// Gemma 3n's matrices of AltUp are stacked. Each becomes a separate tensor: "altup_proj.0.weight" and so on.
void split_stacks(std::vector<TensorInfo>& tensors);

}  // namespace quintet::gguf
