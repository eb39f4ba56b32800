#pragma once
// An embedding table [rows][cols], stored in the type of its file and widened row by row on look-up: look-ups use few
// rows, so a float copy of the table would only cost memory.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

class RowTable {
 public:
  RowTable() = default;
  // `group`: number of columns that share a scale, only with i8; 0: the whole row.
  RowTable(Storage storage, size_t rows, size_t cols, size_t group = 0)
      : storage_(storage), rows_(rows), cols_(cols), group_(group) {}

  Storage storage() const { return storage_; }
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t groups() const { return group_ == 0 ? 1 : cols_ / group_; }  // per row
  size_t bytes() const { return data_.capacity() + scales_.capacity() * sizeof(float); }
  uint64_t data_bytes() const;   // of the whole table
  uint64_t whole_bytes() const;  // with its scales

  // Allocates everything at once, for callers that know that the rows really exist.
  Status reserve() { return data_.reserve(data_bytes()); }
  // The next bytes of the table, in pieces of any size.
  Status append(const std::byte* source, size_t count);
  bool complete() const { return data_.size() == data_bytes(); }
  // i8: one scale per row and group, row-major.
  Status set_scales(std::span<const float> scales);

  // out [cols] = the row. Requires a complete table and row < rows().
  void read_row(size_t row, float* out) const;
  // Replaces a row; not of i8.
  void write_row(size_t row, const float* values);
  // out [cols] += the row.
  void add_row(size_t row, float* out) const;

 private:
  // Columns from `begin` on.
  void read(size_t row, size_t begin, std::span<float> out) const;

  Storage storage_ = Storage::f32;
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t group_ = 0;
  AlignedBuffer<std::byte> data_;
  AlignedBuffer<float> scales_;
};

}  // namespace quintet
