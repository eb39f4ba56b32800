#pragma once
// Conversion of a decoder to AMB or ALT.

#include "runtime/convert/plan.h"

namespace quintet {

Result<Plan> plan_decoder(const SourceModel& source, const ConvertOptions& options);

}  // namespace quintet
