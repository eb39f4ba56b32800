#pragma once
// The usual name of a decoder: "Gemma 3 1B, Q4_K_M".

#include <string>

#include "formats/model_description.h"

namespace quintet {

// From the names in the file, or from the family and the number of its parameters; and from the type of most of its
// weights. Empty if it is not a known decoder or has no tensors.
std::string model_title(const ModelDescription& description);

}  // namespace quintet
