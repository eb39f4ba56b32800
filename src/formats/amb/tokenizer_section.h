#pragma once
// The tokenizer section of an AMB file (docs/formats/amb.md).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// The whole section, which is not empty; `base` is its place in the file.
Result<TokenizerDescription> read_tokenizer(Bytes section, uint64_t base);

// Empty for a model without a tokenizer. What the section cannot hold, as special ids beyond 65534, is an error.
Result<std::vector<std::byte>> write_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet::amb
