#pragma once
// The scales of int8 matrices in a .weights file: X of [rows, cols] goes with X.scale of [rows] or [rows, groups].

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"
#include "formats/weights/metadata_section.h"

namespace quintet::weights {

std::string scale_name(std::string_view matrix);

// The scales of an int8 matrix; null for any other tensor, and for one of plain integers, which has none.
const TensorInfo* find_scale(const TensorLookup& tensors, const TensorInfo& info);

// Values of a row that share a scale. Requires a matrix and its scale with shapes that check_scales() has let through.
uint64_t scale_group(const TensorInfo& matrix, const TensorInfo& scale);

// Where an int8 matrix has scales, they fit it and the metadata's `quantization`. An int8 tensor without is one of
// integers (docs/formats/weights.md, "Int8 (extension)").
Status check_scales(const Header& header, const Metadata& metadata, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::weights
