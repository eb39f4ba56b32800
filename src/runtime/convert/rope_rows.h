#pragma once
// The rows of query and key matrices in GGUF files of Llama models stand in another order than
// everywhere else.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/convert/source_model.h"

namespace quintet {

// Puts the rows of a payload back. Requires rows of whole bytes and no scales apart.
void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads);

}  // namespace quintet
