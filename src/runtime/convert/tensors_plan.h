#pragma once
// Conversion to safetensors: every tensor under its name, as plain elements. And the copy of a
// tinyRuntime file.

#include "runtime/convert/plan.h"

namespace quintet {

Result<Plan> plan_tensors(const SourceModel& source, const ConvertOptions& options);

// Tensor after tensor, as the file has them.
Plan plan_copy(const SourceModel& source);

}  // namespace quintet
