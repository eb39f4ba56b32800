#pragma once
// Quantization of activations for products with quantized weights: row by row for gemm_i8, in blocks for gemm_blocks
// and gemm_adaptive, with given parameters for statically quantized networks.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/rows.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// Size of a quad of quantized activations, in the form that the variant's int8 GEMM reads.
constexpr size_t kActivationQuadBytes = 8;

struct QuantizeRowsOperands {
  ConstRows x;  // [rows][cols]
  size_t rows, cols;
  size_t groups;  // of columns: those of the weights
  uint8_t* q;     // aligned to 4 bytes, with room for rows * quads * kActivationQuadBytes
  float* scales;  // [rows]
};

// For each row a scale and w.quads() quads: the columns of each weight group, padded to whole quads with
// kActivationZero. q = round_half_even(x / scale) + kActivationZero, scale = max|x| / 63; a row of zeros has scale 0,
// one that is not finite NaN. Except in the scalar variant, the quads of the rows of a tile of the GEMM are
// interleaved, [group][quad][row], so that the tile reads them through one pointer. In the relaxed variant, squares
// (ActivationTile) follow the quads of all rows.
using QuantizeRows = void(const QuantizeRowsOperands& operands);

// A weight group of the rows of a tile, as quantize_rows stored them.
struct ActivationTile {
  const uint8_t* q;
  // Relaxed only, [row][blocks of SumCenters]: the greatest sum of squares of the activations, without their zero
  // point, whose products are added to one sum; and the greatest of all rows, [blocks].
  const float* squares = nullptr;
  size_t squares_stride = 0;
  const float* greatest_squares = nullptr;
};

// Size of rows of activations in blocks, in the form that the variant reads.
constexpr uint64_t block_activation_bytes(uint64_t rows, uint64_t blocks) {
  // 32 values of up to 16 bits, a scale, and the sums that the variant needs.
  constexpr uint64_t kBlockActivationBytes = 96;
  constexpr uint64_t kLargestBand = 4;
  return (rows + kLargestBand - 1) * blocks * kBlockActivationBytes;
}

// Columns of a row of activations: blocks of at most 32, of which those of a group, one or more, have the same scale.
struct BlockGroups {
  bool operator==(const BlockGroups&) const = default;

  size_t block;  // a divisor of `group`
  size_t group;  // a divisor of the columns
};

// The groups for products with `w`: its blocks, or those of a super-block together.
inline BlockGroups activation_groups(const BlockMatrix& w) {
  return {w.block(), w.layout().has_super_blocks() ? BlockMatrix::kSuperBlock : w.block()};
}

struct QuantizeBlocksOperands {
  ConstRows x;  // [end][cols]
  size_t begin, end;
  size_t cols;
  BlockGroups groups;
  std::byte* q;  // of row 0, aligned to 16 bytes
};

// Quantizes rows [begin, end): scale = max|x| of the group / 127, q = round_half_even(x / scale) in [-127, 127]; a
// group of zeros has scale 0, one that is not finite NaN. Several threads may quantize different rows.
using QuantizeBlocks = void(const QuantizeBlocksOperands& operands);

// y = clamp(round_half_away(x / scale) + zero_point, 0, 255) - zero_point; NaN becomes 0, the zero point.
using QuantizeStatic = void(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y);

// A block of activations in the form that the variants read. They only differ in the width of the integers and their
// order within a quad.
template <class Integer>
struct BlockActivation {
  float scale;
  int16_t pair_sums[2];               // of an even block: sum of its q, and of those of the next one, or 0
  int16_t negative_pairs[2];          // -8 * sum of q over columns k % 4 in {0, 1}, and over those in {2, 3}
  int32_t negative_sum;               // - sum of q: to be multiplied with the offset of unsigned weights u = q + offset
  Integer q[BlockMatrix::kMaxBlock];  // zeros after the block, up to whole quads
};

// Scalar and relaxed: in order. simd128: columns 0, 2, 1, 3 of each quad.
using ByteActivation = BlockActivation<int8_t>;
using WordActivation = BlockActivation<int16_t>;
static_assert(sizeof(ByteActivation) == 48 && sizeof(WordActivation) == 80);
static_assert(sizeof(WordActivation) <= block_activation_bytes(1, 1) / 4);

// The blocks of a row of activations. Rows form bands of kBand: the blocks at the same position are adjacent, so that a
// tile of the GEMM reads all rows of a band through one pointer.
template <class Block, size_t kBand>
class BlockRow {
 public:
  BlockRow() = default;
  template <class Byte>
  BlockRow(Byte* q, size_t row, size_t blocks)
      : first_(reinterpret_cast<Block*>(q) + row / kBand * kBand * blocks + row % kBand) {}

  Block& operator[](size_t block) const { return first_[block * kBand]; }

 private:
  Block* first_ = nullptr;
};

// The float steps, which are the same in every variant so that all give the same integers.

// Steps on each side of kActivationZero, for a row.
constexpr float kActivationSteps = 63;
// Steps on each side of 0, for a block.
constexpr float kBlockActivationSteps = 127;

struct RowScale {
  float scale;    // of one step; used by the GEMM
  float inverse;  // steps per unit; 0 if all values become zero
};

// `largest` is the greatest magnitude of the row or block; NaN or infinity if it contains either.
inline RowScale row_scale(float largest, float steps = kActivationSteps) {
  // Below this the steps per unit overflow.
  constexpr float kSmallest = 1e-36f;
  if (largest < kSmallest) return {0, 0};
  // A row that is not finite makes all its results NaN, but its bytes must still be valid operands.
  if (!std::isfinite(largest)) return {std::numeric_limits<float>::quiet_NaN(), 0};
  return {largest / steps, steps / largest};
}

}  // namespace quintet
