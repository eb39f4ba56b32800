#pragma once
// Weights W [rows][cols] whose blocks differ in precision (AMB's ADAPTIVE, RULINGS "AMB" 6): each block of a row is kept
// in 4, 5, 8 or 16 bits, as its code says, so that the matrix takes what the file takes. Row by row:
//
//   codes   [blocks] one byte each: 0 INT4, 1 INT5, 2 INT8, 3 FP16
//   data    per block: its scale as f32 (none for FP16), then its values as BlockRecord says

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace quintet {

enum class BlockCode : uint8_t { int4, int5, int8, fp16 };

class AdaptiveMatrix {
 public:
  AdaptiveMatrix() = default;
  // `block`: columns that share a code and a scale, a divisor of cols and at most 32.
  AdaptiveMatrix(size_t rows, size_t cols, size_t block) : rows_(rows), cols_(cols), block_(block) {}

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t block() const { return block_; }
  size_t blocks() const { return cols_ / block_; }  // of a row
  size_t bytes() const { return data_.capacity() + codes_.capacity() + starts_.capacity() * sizeof(uint64_t); }

  // The next block in row-major order. int4, int5, int8: `q` and `scale`; fp16: `halves`.
  Status append_block(BlockCode code, std::span<const int8_t> q, float scale);
  Status append_halves(std::span<const uint16_t> halves);

  const BlockCode* codes(size_t row) const { return codes_.data() + row * blocks(); }
  const std::byte* data(size_t row) const { return data_.data() + starts_[row]; }

  void read_row(size_t row, float* out) const;

 private:
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t block_ = 0;
  AlignedBuffer<BlockCode> codes_;
  AlignedBuffer<std::byte> data_;
  AlignedBuffer<uint64_t> starts_;  // of each row's data
};

}  // namespace quintet
