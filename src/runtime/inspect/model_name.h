#pragma once
// What a model calls itself.

#include <string_view>

#include "base/json.h"

namespace quintet {

// From the metadata of a decoder's file, under AMB's, ALT's or GGUF's key; empty where it has no name.
std::string_view model_name(const Json& metadata);

}  // namespace quintet
