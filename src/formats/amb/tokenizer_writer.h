#pragma once
// The tokenizer section of an AMB file, from a tokenizer of any format.

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// Empty for a model without a tokenizer. What the section cannot hold, as special ids beyond 65534, is an error.
Result<std::vector<std::byte>> write_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet::amb
