#pragma once
// The tensor index of a .weights file: a descriptor for each tensor, then their names.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/embd/header.h"
#include "formats/embd/metadata_section.h"
#include "formats/model_description.h"

namespace quintet::embd {

struct TensorIndex {
  std::vector<TensorInfo> tensors;  // in the order of the descriptors
  uint64_t names_bytes = 0;
};

// Size of the descriptors; an error if they do not fit before the tensor data.
Result<uint64_t> descriptors_bytes(const Header& header);

// Reads the descriptors without the names, and checks that each name fits before the data. As in the file, offsets are
// relative to the tensor data; sizes are still unknown.
Result<TensorIndex> read_descriptors(Bytes descriptors, const Header& header);

// Reads the names. `descriptors` contains the hashes that they must have.
Status read_names(Bytes names, Bytes descriptors, const Header& header, TensorIndex& index);

// Computes sizes and absolute offsets. The data must be within the data section, aligned if the flags require it,
// without overlap.
Status place_tensors(const Header& header, std::vector<TensorInfo>& tensors);

// Indices of the tensors in the order of their data.
std::vector<uint32_t> data_order(const std::vector<TensorInfo>& tensors);

// The position of a tensor's descriptor in the file.
uint64_t descriptor_offset(const Header& header, size_t tensor);

// The scales of int8 matrices: X [rows, cols] has X.scale [rows] or [rows, groups].
std::string scale_name(std::string_view matrix);

// The scales of an int8 matrix; null for other tensors, and for plain integers, which have none.
const TensorInfo* find_scale(const TensorLookup& tensors, const TensorInfo& info);

// Number of values of a row that share a scale. Requires a matrix and its scale with shapes that check_scales()
// accepted.
uint64_t scale_group(const TensorInfo& matrix, const TensorInfo& scale);

// Checks that the scales of an int8 matrix match it and `quantization` in the metadata. An int8 tensor without scales
// contains integers (docs/formats/weights.md, "Int8 (extension)").
Status check_scales(const Header& header, const Metadata& metadata, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::embd
