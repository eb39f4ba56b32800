#pragma once
// The order of rows in the query and key matrices of GGUF files of Llama models.
//
// Rotary embedding turns pairs of values. Hugging Face pairs the halves of a head, value i with value i + d/2, and so
// do AMB and ALT; ggml pairs neighbours in Llama models, so that their converter has interleaved the halves' rows: row
// 2i + h of a head is row i + h * d/2 of Hugging Face's. Phi models are not permuted.

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/model_description.h"

namespace quintet::gguf {

// Heads whose rows are interleaved in a tensor; 0 where its rows are in Hugging Face's order. The description is that
// of a GGUF file with a config.
uint64_t interleaved_heads(const ModelDescription& description, const TensorInfo& info);

// Puts the rows of whole heads back into Hugging Face's order. Requires rows.size() to be a multiple of
// 2 * heads * row_bytes. A bias has rows of one value.
void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads);

}  // namespace quintet::gguf
