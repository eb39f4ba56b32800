#pragma once
// Conversion of an encoder to .weights.

#include "runtime/convert/plan.h"

namespace quintet {

Result<Plan> plan_embedder(const SourceModel& source, const ConvertOptions& options);

}  // namespace quintet
