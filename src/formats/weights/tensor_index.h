#pragma once
// The tensor index of a .weights file: a descriptor of each tensor, then their names.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"
#include "formats/weights/metadata_section.h"

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

// The scales of int8 matrices: X of [rows, cols] goes with X.scale of [rows] or [rows, groups].
std::string scale_name(std::string_view matrix);

// The scales of an int8 matrix; null for any other tensor, and for one of plain integers, which has none.
const TensorInfo* find_scale(const TensorLookup& tensors, const TensorInfo& info);

// Values of a row that share a scale. Requires a matrix and its scale with shapes that check_scales() has let through.
uint64_t scale_group(const TensorInfo& matrix, const TensorInfo& scale);

// Where an int8 matrix has scales, they fit it and the metadata's `quantization`. An int8 tensor without is one of
// integers (docs/formats/weights.md, "Int8 (extension)").
Status check_scales(const Header& header, const Metadata& metadata, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::weights
