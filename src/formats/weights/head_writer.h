#pragma once
// All of a .weights file that precedes the tensor data.

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::weights {

// The bytes up to the tensor data, padding included. Sets the sizes and places of the tensors and the size of the file;
// the flags are the description's. Error: what the format has no room for.
Result<std::vector<std::byte>> write_head(ModelDescription& description);

}  // namespace quintet::weights
