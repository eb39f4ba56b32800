#pragma once
// The part of a safetensors file that precedes the data.

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::safetensors {

// Puts the tensors into the order in which their data must follow, the widest type first, then by name, and sets their
// sizes and places. Returns length and JSON, padded with spaces so that the data begins at a multiple of 8. Metadata is
// text; without any, there is no __metadata__.
Result<std::vector<std::byte>> write_header(ModelDescription& description);

}  // namespace quintet::safetensors
