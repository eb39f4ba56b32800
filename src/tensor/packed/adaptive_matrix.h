#pragma once
// Weights W [rows][cols] whose blocks have different precisions (AMB's ADAPTIVE: docs/formats/amb.md, "Weights"): each
// block of a row is stored in 4, 5, 8 or 16 bits, according to its code, so that the matrix takes as much memory as the
// file.
//
// Within a row the blocks are sorted by code, and those of one code by their order in the row: a kernel processes all
// blocks of a code without a branch, which a processor could not predict. Each row consists of:
//
//   positions   [blocks] u16: which block of the row each record is; padded to a multiple of four bytes
//   records     of the INT4 blocks, then INT5, INT8, FP16; each padded to a multiple of four bytes
//
// A record, with half = ceil(block / 2) and u = q + 8 (INT4) or q + 16 (INT5):
//
//   INT4   scale f32; [half] bytes: u of column i in the low half of byte i, of column half + i in its high half
//   INT5   scale f32; [half] bytes: u % 16 likewise; then [ceil(block / 8)] bytes, a bit stream with the least
//          significant first, whose bit i is u / 16 of column i
//   INT8   scale f32; [block] q
//   FP16   [block] values

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/quantization.h"

namespace quintet {

class AdaptiveMatrix {
 public:
  static constexpr size_t kMaxBlock = 32;

  // The blocks of one code in one row.
  struct Run {
    const uint16_t* positions;
    const std::byte* records;  // record i at i * record_bytes(code)
    size_t count;
  };
  using Row = std::array<Run, kBlockCodes>;  // by code

  AdaptiveMatrix() = default;
  // `block`: number of columns that share a code and a scale, a divisor of cols and at most 32.
  AdaptiveMatrix(size_t rows, size_t cols, size_t block) : rows_(rows), cols_(cols), block_(block) {}

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t block() const { return block_; }
  size_t blocks() const { return cols_ / block_; }                                               // of a row
  size_t bytes() const { return data_.capacity() + rows_index_.capacity() * sizeof(RowIndex); }  // memory in use

  // The next block in row-major order. int4, int5, int8: `q` and `scale`; fp16: `halves`.
  Status append_block(BlockCode code, std::span<const int8_t> q, float scale);
  Status append_halves(std::span<const uint16_t> halves);
  // Whether all halves are finite, which are widened faster.
  bool is_finite() const { return is_finite_; }

  // Requires a row with all of its blocks.
  Row row(size_t row) const;
  void read_row(size_t row, float* out) const;

  size_t record_bytes(BlockCode code) const;

 private:
  struct RowIndex {
    uint64_t start;  // in data_
    std::array<uint16_t, kBlockCodes> counts;
  };

  // The blocks of the row being appended, until it is complete.
  struct Pending {
    std::array<std::vector<uint16_t>, kBlockCodes> positions;
    std::array<std::vector<std::byte>, kBlockCodes> records;
    size_t blocks = 0;
  };

  Status begin_record(BlockCode code, size_t values, std::byte*& record);
  Status end_record();
  Status append_row();

  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t block_ = 0;
  bool is_finite_ = true;
  Pending pending_;
  AlignedBuffer<RowIndex> rows_index_;
  AlignedBuffer<std::byte> data_;
};

// Value i of an INT4, INT5 or INT8 block from its record.
int adaptive_value(BlockCode code, const std::byte* record, size_t block, size_t i);

}  // namespace quintet
