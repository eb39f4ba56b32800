#pragma once
// A block of quantized activations as the block GEMM of a variant reads it. The variants differ in the integers' width
// and order within a quad only.

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace quintet {

template <class Integer>
struct BlockActivation {
  float scale;
  float scaled_sum;                   // sum of q, times scale: what a weight block's offset is multiplied with
  int16_t negative_pairs[2];          // -8 * sum of q over columns k % 4 in {0, 1}, and over those in {2, 3}
  int32_t negative_sum;               // - sum of q: unsigned weights u = q + offset need offset times that
  Integer q[BlockMatrix::kMaxBlock];  // those beyond the block are 0 up to whole quads
};

// Scalar and relaxed: in order. simd128: columns 0, 2, 1, 3 of each quad.
using ByteActivation = BlockActivation<int8_t>;
using WordActivation = BlockActivation<int16_t>;
static_assert(sizeof(ByteActivation) == 48 && sizeof(WordActivation) == 80);
static_assert(sizeof(WordActivation) <= block_activation_bytes(1));

// The blocks of row r of activations.
template <class Integer>
const BlockActivation<Integer>* block_activations(const std::byte* q, size_t row, size_t blocks) {
  return reinterpret_cast<const BlockActivation<Integer>*>(q + row * block_activation_bytes(blocks));
}

}  // namespace quintet
