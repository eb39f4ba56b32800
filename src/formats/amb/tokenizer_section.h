#pragma once
// The tokenizer section of an AMB file (docs/formats/amb.md).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// The whole section, which must not be empty; `base` is its position in the file.
Result<TokenizerDescription> read_tokenizer(Bytes section, uint64_t base);

// Empty for a model without a tokenizer. Fails for what the section cannot store, such as special ids beyond 65534.
Result<std::vector<std::byte>> write_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet::amb
