#pragma once
// Packs panels of the GGUF types that models mostly consist of, whose bits a BlockMatrix stores as they are in the
// file: they go from the file to the records without being decoded first. Others go through the general code
// (gguf_repacker.cc), against which these are tested.

#include <cstddef>

#include "tensor/packed/block_matrix.h"
#include "tensor/quantization.h"

namespace quintet {

// Eight rows of whole blocks, `row_bytes` apart, to `panel`, which may be uninitialized. Returns whether all scales and
// offsets are finite.
using PackGgufPanel = bool(const std::byte* rows, size_t row_bytes, const BlockMatrix& matrix, std::byte* panel);

// Null for other types.
PackGgufPanel* gguf_panel_packer(Scheme scheme);

}  // namespace quintet
