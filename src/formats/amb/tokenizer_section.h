#pragma once
// The tokenizer section of an AMB file (docs/formats/amb.md).

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::amb {

// The whole section, which is not empty; `base` is its place in the file.
Result<TokenizerDescription> read_tokenizer(Bytes section, uint64_t base);

}  // namespace quintet::amb
