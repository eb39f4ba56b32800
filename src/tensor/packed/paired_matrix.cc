#include "tensor/packed/paired_matrix.h"

#include <algorithm>

#include "tensor/packed/growth.h"

namespace quintet {
namespace {

Status mismatch(const char* detail) { return fail(Code::format, Reason::mismatch, "{}", detail); }

bool is_beyond(int32_t zero_point) { return zero_point < -kMaxZeroPoint || zero_point > kMaxZeroPoint; }

Status zero_point_error() {
  return fail(Code::format, Reason::limit, "a zero point of the weights is outside of +-{}", kMaxZeroPoint);
}

uint64_t padded_values(uint64_t panels, uint64_t segments, uint64_t pairs) {
  return saturating_product(panels, saturating_product(segments, saturating_product(pairs, 2 * kPanelRows)));
}

// Values of rows and segments, row-major, for the panels; missing rows are zeros.
template <class T, class ValueAt>
Status fill_panels(AlignedBuffer<T>& to, const PairedMatrix& matrix, ValueAt value_at) {
  const size_t segments = matrix.segments();
  QUINTET_CHECK(to.resize(saturating_product(matrix.panels(), saturating_product(segments, kPanelRows))));
  for (size_t row = 0; row < matrix.rows(); ++row) {
    T* const lane = to.data() + row / kPanelRows * segments * kPanelRows + row % kPanelRows;
    for (size_t s = 0; s < segments; ++s) lane[s * kPanelRows] = static_cast<T>(value_at(row * segments + s));
  }
  return {};
}

}  // namespace

size_t PairedMatrix::bytes() const {
  return values_.capacity() + zero_points_.capacity() * sizeof(int16_t) + scales_.capacity() * sizeof(float);
}

Status PairedMatrix::reserve() { return values_.reserve(padded_values(panels(), segments_, pairs())); }

Status PairedMatrix::append_row(std::span<const int8_t> row) {
  if (appended_ == rows_) return mismatch("more rows than the weights have");
  if (row.size() != saturating_product(segments_, length_)) return mismatch("a row that does not fit the weights");
  QUINTET_CHECK(grow_to(values_, padded_values(appended_ / kPanelRows + 1, segments_, pairs()),
                        padded_values(panels(), segments_, pairs())));
  int8_t* to = values_.data() + appended_ / kPanelRows * panel_values() + appended_ % kPanelRows * 2;
  const int8_t* from = row.data();
  for (size_t s = 0; s < segments_; ++s, from += length_, to += pairs() * 2 * kPanelRows) {
    for (size_t i = 0; i < length_; ++i) to[i / 2 * 2 * kPanelRows + i % 2] = from[i];
  }
  ++appended_;
  return {};
}

Status PairedMatrix::set_zero_point(int32_t zero_point) {
  if (is_beyond(zero_point)) return zero_point_error();
  return fill_panels(zero_points_, *this, [=](size_t) { return zero_point; });
}

Status PairedMatrix::set_groups(std::span<const float> scales, std::span<const int32_t> zero_points) {
  const uint64_t groups = saturating_product(rows_, segments_);
  if (scales.size() != groups) return mismatch("scales that do not fit the weights");
  if (!zero_points.empty() && zero_points.size() != groups) return mismatch("zero points that do not fit the weights");
  if (std::ranges::any_of(zero_points, is_beyond)) return zero_point_error();
  QUINTET_CHECK(fill_panels(scales_, *this, [=](size_t i) { return scales[i]; }));
  return fill_panels(zero_points_, *this, [=](size_t i) { return zero_points.empty() ? 0 : zero_points[i]; });
}

}  // namespace quintet
