#pragma once
// Quantized weights W [rows][cols] of a linear layer y = x W^T in 4, 5, 6 or 8 bits, stored in the form that the
// kernels read.
//
//   value = q * scale, or q * scale + offset; q in [-8, 7], [-16, 15] or [-128, 127]
//
// A row is divided into blocks of `block` columns, at most kMaxBlock, that share a scale; a block is padded with q = 0
// to whole quads (four consecutive columns). Eight rows are a panel; the last one is padded with zeros. A panel is one
// record per block, one after another, so that a product reads memory in one stream:
//
//   nibbles   [quads][16 bytes]: byte i of a quad contains u of row i / 4, column i % 4 of the quad in its low half,
//             and that of row 4 + i / 4 in its high half; u = q + 8 (4 bits), (q + 16) % 16 (5 bits)
//   high      5 bits only: [ceil(quads / 4)][16 bytes]: bits 2j and 2j + 1 of byte i are (q + 16) / 16 of the two
//             values whose low parts are in byte i of the j-th of four quads
//   or bytes  8 bits only: [quads][32 bytes]: u = q + 128 of row i / 4, column i % 4
//             6 bits only: [3][32 bytes]: u = q + 32 likewise, of three of the four quads, in the low six bits; the
//             upper two of the first, second and third of these bytes are bits 4 to 5, 2 to 3 and 0 to 1 of u of the
//             fourth quad
//   scales    [8], f16 or f32, depending on the matrix
//   offsets   [8] f32, if the matrix has them
//
// If the scales are i8, the matrix has super-blocks, as the K types of GGUF: the scales and offsets of the blocks of
// 256 columns are integers, in units of the super-block. Values with offsets are unsigned then.
//
//   value = q * (scale * unit), or u * (scale * unit) - offset * unit of offsets; u in [0, 15], [0, 31] or [0, 255]
//
// After the records of a super-block come its other parameters:
//
//   offsets   [blocks / 2][8][2] u8, if the matrix has them: those of two blocks together
//   units     [8] f16 of the scales and, if the matrix has offsets, [8] f16 of the offsets

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/dtype.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

enum class BlockBits : uint8_t { four = 4, five = 5, six = 6, eight = 8 };  // six: only in super-blocks without offsets

class BlockMatrix {
 public:
  // Maximum columns of a block: sums of products with 8-bit activations then temporarily fit 16 bits.
  static constexpr size_t kMaxBlock = 32;
  static constexpr size_t kSixBitBlock = 16;  // the only one with 6 bits
  static constexpr size_t kSuperBlock = 256;

  struct Layout {
    BlockBits bits = BlockBits::four;
    size_t rows = 0;
    size_t cols = 0;
    size_t block = kMaxBlock;        // a divisor of cols
    Dtype scale_dtype = Dtype::f16;  // or f32, or i8: in super-blocks
    bool has_offsets = false;

    bool has_super_blocks() const { return scale_dtype == Dtype::i8; }
  };

  BlockMatrix() = default;
  explicit BlockMatrix(const Layout& layout) : layout_(layout) {}  // allocates nothing yet

  const Layout& layout() const { return layout_; }
  BlockBits bits() const { return layout_.bits; }
  size_t rows() const { return layout_.rows; }
  size_t cols() const { return layout_.cols; }
  size_t block() const { return layout_.block; }
  size_t blocks() const { return layout_.cols / layout_.block; }      // of a row
  size_t super_block() const { return kSuperBlock / layout_.block; }  // in blocks
  size_t block_quads() const { return (layout_.block + kQuad - 1) / kQuad; }
  size_t panels() const { return (layout_.rows + kPanelRows - 1) / kPanelRows; }
  // For a record: the start of its parts, and its end; multiples of 16, or of 8 in super-blocks.
  size_t high_at() const { return block_quads() * 16; }  // 5 bits
  size_t scales_at() const;
  size_t offsets_at() const;
  size_t record_bytes() const;
  // After the records of a super-block: where its units are, and the size of its other parameters.
  size_t units_at() const { return layout_.has_offsets ? super_block() * kPanelRows : 0; }
  size_t super_block_bytes() const;
  size_t unit_count() const { return layout_.has_offsets ? 2 : 1; }  // of a row
  size_t panel_bytes() const;
  size_t bytes() const { return records_.capacity(); }  // memory in use

  // Allocates everything at once, for callers that know that the rows really exist.
  Status reserve();
  // The next rows, one after another, none of them beyond the panel of the first: cols() values each within the range
  // of the bits, blocks() finite scales that the scale type can represent, and as many offsets if the matrix has them.
  // Whole panels are the fastest. Without reserve(), the memory grows with the rows. Not for super-blocks.
  Status append_rows(size_t count, std::span<const int8_t> q, std::span<const float> scales,
                     std::span<const float> offsets = {});
  Status append_row(std::span<const int8_t> q, std::span<const float> scales, std::span<const float> offsets = {}) {
    return append_rows(1, q, scales, offsets);
  }
  // Room for the values of the next `count` rows, which must follow: in the order of the rows of a panel, but panels in
  // any order, or by several threads at once.
  Status extend(size_t count);
  // The values of such rows, as for append_rows(). Returns whether their scales and offsets are finite; if not,
  // set_infinite() must follow, on one thread.
  // In super-blocks, scales and offsets are integers, offsets with a minus, and units
  // [rows][super-blocks][unit_count()] are f16; the rows are a panel, or the last ones.
  bool put_rows(size_t first, size_t count, std::span<const int8_t> q, std::span<const float> scales,
                std::span<const float> offsets, std::span<const uint16_t> units = {});
  void set_infinite() { is_finite_ = false; }

  size_t appended_rows() const { return appended_; }
  // Whether all scales and offsets are finite. If not, the kernels must not be called: they widen scales as if there
  // were no infinity and no NaN.
  bool is_finite() const { return is_finite_; }

  // A block of an appended row. Its first block() values are used, others are 0, and the offset is 0 if the matrix has
  // none. In a super-block the scale and the offset are integers, and q is u if there are offsets.
  struct RowBlock {
    std::array<int8_t, kMaxBlock> q;
    float scale;
    float offset;
  };
  RowBlock row_block(size_t row, size_t b) const;
  // The factors of scales and offsets of a row in super-block `s`, that of the offset with a minus; 1 without
  // super-blocks.
  struct Units {
    float scale = 1, offset = 1;
  };
  Units units(size_t row, size_t s) const;
  // out [cols] = the values of an appended row: the definition of the matrix.
  void read_row(size_t row, float* out) const;

  // The places of the values of extended rows.
  std::byte* panel(size_t p) { return records_.data() + p * panel_bytes(); }
  const std::byte* panel(size_t p) const { return records_.data() + p * panel_bytes(); }

 private:
  size_t scale_bytes() const;  // of a row
  Status check_layout() const;
  uint64_t bytes_of(uint64_t panels) const;  // UINT64_MAX if too many
  const std::byte* record(size_t row, size_t b) const;
  void put_block(std::byte* record, size_t lane, std::span<const int8_t> q) const;
  // The parameters of a super-block of a row.
  void put_parameters(std::byte* parameters, size_t lane, std::span<const float> offsets,
                      std::span<const uint16_t> units) const;
  // Four values of a row, one per byte.
  uint32_t get(const std::byte* record, size_t lane, size_t quad) const;
  float scale(const std::byte* record, size_t i) const;

  Layout layout_;
  size_t appended_ = 0;
  bool is_finite_ = true;
  AlignedBuffer<std::byte> records_;
};

}  // namespace quintet
