#pragma once
// The order of the rows of matrices in files, where it is not the one in which they are used.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::transformer {

// The order of a tensor's rows in its file, where it differs from the order here.
struct TensorOrder {
  // The first heads, whose rotated rows are interleaved (restore_order()), and the sizes of each.
  uint64_t interleaved_heads = 0, head_rows = 0, rotated_rows = 0;
  // Queries, keys and values as one matrix: each head of keys follows the queries that attend to it, and its values
  // come after it. 0: all queries, all keys, all values.
  uint64_t groups = 0;
  bool is_transposed = false;  // columns in place of rows

  bool is_ours() const { return interleaved_heads == 0 && groups == 0 && !is_transposed; }
};

// The order of rows in the query and key matrices of GGUF files: rotary embedding turns pairs of values. Hugging Face
// pairs the halves of a head, value i with value i + d/2, and so do AMB and ALT. ggml pairs neighbors in some families
// (Family::has_permuted_qk); for these llama.cpp's converter has interleaved the rows of the halves: row 2i + h of a
// head is row i + h * d/2 of Hugging Face's. Where a part of each head is rotated, d is the size of that part.
//
// Puts the rotated rows of heads back into Hugging Face's order. Requires rows.size() to be a multiple of
// heads * row_bytes. A bias has rows of one value.
void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads, size_t rotated_rows);

// FORMAT if the tensor does not have the rows of its order, UNSUPPORTED if its bytes do not separate them.
Status check_order(const TensorInfo& info, const TensorOrder& order);
// Puts all bytes of a tensor, which check_order() has accepted, into the order in which they are used.
void restore_order(std::vector<std::byte>& payload, const TensorInfo& info, const TensorOrder& order);

}  // namespace quintet::transformer
