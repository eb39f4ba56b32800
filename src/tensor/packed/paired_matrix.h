#pragma once
// int8 weights W [rows][segments][length] with zero points, stored in the form that kernels for 16-bit products read:
// as in the file, and widened only while in use.
//
// Rows are grouped into panels of kPanelRows outputs; a panel is [segments][pairs][kPanelRows][2]: two consecutive
// values of one output are adjacent, as a 2-way dot product reads them. A segment of odd length, and the last panel,
// are padded. Segments are the rows of a convolution's window, or the groups that share a scale.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// Maximum zero point with which an int8 minus it fits 16 bits.
constexpr int32_t kMaxZeroPoint = 32640;

class PairedMatrix {
 public:
  PairedMatrix() = default;
  // Allocates nothing yet.
  PairedMatrix(size_t rows, size_t segments, size_t length) : rows_(rows), segments_(segments), length_(length) {}

  size_t rows() const { return rows_; }
  size_t segments() const { return segments_; }
  size_t length() const { return length_; }                   // of a segment
  size_t pairs() const { return length_ / 2 + length_ % 2; }  // of a segment
  size_t panels() const { return rows_ / kPanelRows + (rows_ % kPanelRows != 0); }
  // Values of a panel, padded.
  size_t panel_values() const { return segments_ * pairs() * 2 * kPanelRows; }
  size_t bytes() const;  // memory in use

  // Allocates the values at once, for callers that know that the rows really exist. Without it, the memory grows with
  // the rows.
  Status reserve();
  // The next row, [segments][length].
  Status append_row(std::span<const int8_t> row);

  // One zero point for all: |zero_point| <= kMaxZeroPoint.
  Status set_zero_point(int32_t zero_point);
  // One scale and zero point for every row and segment, row-major; without zero points (empty) they are 0.
  Status set_groups(std::span<const float> scales, std::span<const int32_t> zero_points);

  const int8_t* panel(size_t p) const { return values_.data() + p * panel_values(); }
  // [segments][kPanelRows] of panel p.
  const int16_t* zero_points(size_t p) const { return zero_points_.data() + p * segments_ * kPanelRows; }
  const float* scales(size_t p) const { return scales_.data() + p * segments_ * kPanelRows; }

 private:
  size_t rows_ = 0;
  size_t segments_ = 0;
  size_t length_ = 0;
  size_t appended_ = 0;
  AlignedBuffer<int8_t> values_;
  AlignedBuffer<int16_t> zero_points_;
  AlignedBuffer<float> scales_;
};

}  // namespace quintet
