#pragma once
// Packs a block of all rows of a panel at once, sixteen columns at a time. BlockMatrix defines the form, and packs
// single rows.

#include <cstddef>
#include <cstdint>

#include "tensor/packed/block_matrix.h"
#include "tensor/packed/half_panel.h"

namespace quintet {

constexpr size_t kPackedColumns = 16;

constexpr QuadBytes in_each_byte(uint8_t value) { return value * QuadBytes{0x01010101}; }

// The values of a record: q [kPanelRows][columns], rows `stride` apart, each within the range of the bits. `columns`
// is a multiple of kPackedColumns.
void pack_panel_block(BlockBits bits, size_t columns, const int8_t* q, size_t stride, std::byte* record);

// The values of two runs of kPackedColumns columns of a record of 4 bits, without being decoded: sixteen bytes of each
// row, `stride` apart, have those of one run in their low halves, which go to `low`, and those of the other in their
// high halves.
void pack_panel_nibbles(const std::byte* rows, size_t stride, std::byte* low, std::byte* high);

}  // namespace quintet
