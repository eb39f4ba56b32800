#pragma once
// The tensor index of a .weights file: a descriptor of each tensor, then their names.

#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"

namespace quintet::weights {

struct TensorIndex {
  std::vector<TensorInfo> tensors;  // in the order of the descriptors
  uint64_t names_bytes = 0;
};

// Bytes that the descriptors take; an error where they cannot lie before the tensor data.
Result<uint64_t> descriptors_bytes(const Header& header);

// The descriptors without the names; what each name needs is checked against the room before the data. Offsets are, as
// in the file, from the beginning of the tensor data, and sizes unknown.
Result<TensorIndex> read_descriptors(Bytes descriptors, const Header& header);

// The names. `descriptors` holds the hashes that they must have.
Status read_names(Bytes names, Bytes descriptors, const Header& header, TensorIndex& index);

// Computes sizes and absolute offsets. The data lies within the data section, aligned where the flags say so, without
// overlap.
Status place_tensors(const Header& header, std::vector<TensorInfo>& tensors);

// Indices of the tensors in the order of their data.
std::vector<uint32_t> data_order(const std::vector<TensorInfo>& tensors);

// Where a tensor's descriptor lies in the file.
uint64_t descriptor_offset(const Header& header, size_t tensor);

}  // namespace quintet::weights
