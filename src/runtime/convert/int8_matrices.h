#pragma once
// The int8 matrices of .weights files, whose scales are tensors of their own, as quantized tensors.

#include <vector>

#include "runtime/convert/source_model.h"

namespace quintet {

// The tensors of a source, where it is a .weights file with each int8 matrix and its scales as one
// tensor (Scheme::group_int8).
std::vector<SourceTensor> with_joined_scales(const SourceModel& source);

}  // namespace quintet
