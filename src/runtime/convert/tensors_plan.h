#pragma once
// Conversion to safetensors: every tensor under its name, as plain elements.

#include "runtime/convert/plan.h"

namespace quintet {

Result<Plan> plan_tensors(const SourceModel& source, const ConvertOptions& options);

}  // namespace quintet
