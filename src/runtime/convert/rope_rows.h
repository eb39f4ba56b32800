#pragma once
// Matrices that a file stores in another order than the one that readers give: the rows of query and key matrices in
// GGUF files of Llama models (docs/formats/gguf.md), and the columns of linear weights in flat .weights files
// (docs/formats/weights.md, "Flat layout"). They are held until they are whole.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/convert/source_model.h"

namespace quintet {

// Whether the payload is stored in another order: with interleaved heads, or transposed.
inline bool is_reordered(const TensorInfo& info, uint32_t heads) { return heads != 0 || info.transposed; }

// Puts the rows of a payload into order. Requires rows of whole bytes and no scales apart; a transposed matrix is one
// of float32.
void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads);

}  // namespace quintet
