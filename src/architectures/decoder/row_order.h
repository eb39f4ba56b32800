#pragma once
// The order of rows in the query and key matrices of GGUF files.
//
// Rotary embedding turns pairs of values. Hugging Face pairs the halves of a head, value i with value i + d/2, and so
// do AMB and ALT. ggml pairs neighbours in some families (Family::interleaved); for these llama.cpp's converter has
// interleaved the rows of the halves: row 2i + h of a head is row i + h * d/2 of Hugging Face's.

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet::decoder {

// Puts the rows of whole heads back into Hugging Face's order. Requires rows.size() to be a multiple of
// 2 * heads * row_bytes. A bias has rows of one value.
void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads);

}  // namespace quintet::decoder
