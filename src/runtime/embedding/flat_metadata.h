#pragma once
// The metadata that a flat .weights file does not have.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// Sizes come from the shapes; heads are those that the caller's metadata tells, else the usual
// ones. Error: tensors that tell too little.
Result<Json> flat_metadata(const ModelDescription& description, const Json& overrides);

}  // namespace quintet
