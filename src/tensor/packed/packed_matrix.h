#pragma once
// Weights W [rows][cols] of a linear layer y = x W^T, stored in the form that the GEMM kernels read.
//
// Rows are grouped into panels of kPanelRows output features; the last panel is padded with zeros.
//   f32, f16, bf16   panel = [cols][kPanelRows]: one k of all eight outputs, then the next k
//   i8               panel = [quads][kPanelRows][4]: four consecutive k of one output are adjacent,
//                    as a 4-way dot product reads them
//
// With int8, a row is divided into groups of `group` columns, each with its own scale; a group is padded with zeros to
// whole quads. Weights are in memory only once: they are packed while the file is read.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/dtype.h"
#include "tensor/packed/panel.h"
#include "tensor/packed/sum_centers.h"

namespace quintet {

enum class Storage : uint8_t { f32, f16, bf16, i8 };

// Nothing for types that are not stored unchanged.
constexpr std::optional<Storage> storage_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return Storage::f32;
    case Dtype::f16:
      return Storage::f16;
    case Dtype::bf16:
      return Storage::bf16;
    case Dtype::i8:
      return Storage::i8;
    default:
      return std::nullopt;
  }
}

constexpr Dtype dtype_of(Storage storage) {
  constexpr Dtype kStored[] = {Dtype::f32, Dtype::f16, Dtype::bf16, Dtype::i8};
  return kStored[static_cast<size_t>(storage)];
}

constexpr size_t element_bytes(Storage storage) {
  switch (storage) {
    case Storage::f32:
      return 4;
    case Storage::f16:
    case Storage::bf16:
      return 2;
    case Storage::i8:
      return 1;
  }
  return 1;
}

class PackedMatrix {
 public:
  // A group of an int8 panel.
  struct Group {
    const int8_t* quads;  // [group_quads()][kPanelRows][kQuad]
    SumCenters::Group sums;
  };

  PackedMatrix() = default;

  // Allocates nothing yet. `group` is only used with i8: number of columns that share a scale, a divisor of cols.
  PackedMatrix(Storage storage, size_t rows, size_t cols, size_t group = 0);

  Storage storage() const { return storage_; }
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t panels() const { return rows_ / kPanelRows + (rows_ % kPanelRows != 0); }
  size_t groups() const { return groups_; }                // per row
  size_t group_quads() const { return group_quads_; }      // quads of one group, padded
  size_t quads() const { return groups_ * group_quads_; }  // quads of one row
  size_t bytes() const;                                    // memory in use
  uint64_t whole_bytes() const;                            // that of all rows with their scales

  // Allocates everything at once, for callers that know that the rows really exist.
  Status reserve();

  // Appends the next `count` rows, row-major, in the storage's own type and little-endian, unaligned. Without
  // reserve(), the memory grows with the rows, so that a wrong number of rows costs nothing.
  Status append_rows(const std::byte* source, size_t count);
  size_t appended_rows() const { return appended_; }
  // f16: whether all values are finite, which are widened faster.
  bool is_finite() const { return is_finite_; }

  // int8: one scale per row and group, row-major, as in the file. All rows must be appended.
  Status set_scales(std::span<const float> scales);

  // out [cols] = the values of an appended row.
  void read_row(size_t row, float* out) const;
  // Replaces an appended row; not of i8.
  void write_row(size_t row, const float* values);

  // Panel p, as described above.
  const float* panel_f32(size_t p) const { return panel<float>(p); }
  const uint16_t* panel_half(size_t p) const { return panel<uint16_t>(p); }  // f16 and bf16
  const int8_t* panel_i8(size_t p) const { return panel<int8_t>(p); }
  Group group_i8(size_t p, size_t g) const {
    return {panel_i8(p) + g * group_quads_ * kPanelQuadBytes, centers_.group(p * groups_ + g)};
  }
  // [groups][kPanelRows] of panel p.
  const float* scales(size_t p) const { return scales_.data() + p * groups_ * kPanelRows; }
  // [groups][kPanelRows]: kActivationZero * sum of the weights, subtracted from each integer dot
  // product.
  const int32_t* zero_terms(size_t p) const { return zero_terms_.data() + p * groups_ * kPanelRows; }

 private:
  template <class T>
  const T* panel(size_t p) const {
    return reinterpret_cast<const T*>(panels_.data() + p * panel_bytes_);
  }
  Status check_shape() const;
  Status grow(size_t rows);
  void read_row_i8(const int8_t* weights, const float* scales, float* out) const;
  void append_row(const std::byte* source);
  void append_panel(const std::byte* source);
  void finish_panel();

  Storage storage_ = Storage::f32;
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t group_ = 0;  // columns of a group
  size_t groups_ = 1;
  size_t group_quads_ = 0;
  uint64_t panel_bytes_ = 0;
  size_t appended_ = 0;
  bool is_finite_ = true;
  AlignedBuffer<std::byte> panels_;
  AlignedBuffer<float> scales_;
  AlignedBuffer<int32_t> zero_terms_;
  SumCenters centers_;
};

}  // namespace quintet
