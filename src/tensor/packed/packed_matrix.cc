#include "tensor/packed/packed_matrix.h"

#include <cstring>

#include "base/half.h"
#include "tensor/finite.h"
#include "tensor/packed/growth.h"
#include "tensor/packed/half_panel.h"

namespace quintet {
namespace {

// In a panel, the units of eight rows alternate: unit i of row r is unit i * kPanelRows + r.
template <size_t kUnitBytes>
void pack_units(const std::byte* row, size_t units, std::byte* lane) {
  for (size_t i = 0; i < units; ++i) {
    std::memcpy(lane + i * kPanelRows * kUnitBytes, row + i * kUnitBytes, kUnitBytes);
  }
}

// Sixteen bytes of all rows of a panel, of which a unit is two or four.
template <size_t kUnitBytes>
void pack_sixteen(const std::byte* rows, size_t row_bytes, std::byte* panel) {
  const HalfPanel low = HalfPanel::load(rows, row_bytes).transposed();
  const HalfPanel high = HalfPanel::load(rows + kHalfPanel * row_bytes, row_bytes).transposed();
  for (size_t i = 0; i < kHalfPanel; ++i, panel += 2 * sizeof(Quads)) {
    if constexpr (kUnitBytes == 4) {
      store(low.rows[i], panel);
      store(high.rows[i], panel + sizeof(Quads));
    } else {
      // Each quad has two units of its row.
      using Pairs [[gnu::vector_size(sizeof(Quads))]] = uint16_t;
      const auto first = reinterpret_cast<Pairs>(low.rows[i]), second = reinterpret_cast<Pairs>(high.rows[i]);
      store(reinterpret_cast<Quads>(__builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14)), panel);
      store(reinterpret_cast<Quads>(__builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15)),
            panel + sizeof(Quads));
    }
  }
}

// All rows of a panel at once.
template <size_t kUnitBytes>
void pack_panel(const std::byte* rows, size_t row_bytes, std::byte* panel) {
  size_t i = 0;
  for (; row_bytes - i >= sizeof(Quads); i += sizeof(Quads), panel += kPanelRows * sizeof(Quads)) {
    pack_sixteen<kUnitBytes>(rows + i, row_bytes, panel);
  }
  for (size_t r = 0; r < kPanelRows; ++r, panel += kUnitBytes) {
    pack_units<kUnitBytes>(rows + r * row_bytes + i, (row_bytes - i) / kUnitBytes, panel);
  }
}

}  // namespace

PackedMatrix::PackedMatrix(Storage storage, size_t rows, size_t cols, size_t group)
    : storage_(storage),
      rows_(rows),
      cols_(cols),
      group_(group == 0 || cols == 0 ? cols : group),
      groups_(group_ == 0 ? 1 : cols / group_),
      group_quads_(group_ / kQuad + (group_ % kQuad != 0)),
      panel_bytes_(saturating_product(kPanelRows, storage == Storage::i8
                                                      ? saturating_product(quads(), kQuad)
                                                      : saturating_product(cols, element_bytes(storage)))),
      centers_(group_quads_) {}

size_t PackedMatrix::bytes() const {
  return panels_.capacity() + scales_.capacity() * sizeof(float) + zero_terms_.capacity() * sizeof(int32_t) +
         centers_.bytes();
}

uint64_t PackedMatrix::whole_bytes() const {
  const uint64_t values = saturating_product(panels(), panel_bytes_);
  if (storage_ != Storage::i8) return values;
  const uint64_t groups = saturating_product(panels(), groups_);
  const uint64_t of_group = kPanelRows * (sizeof(float) + sizeof(int32_t)) + centers_.record_bytes();
  return checked_add(values, saturating_product(groups, of_group)).value_or(UINT64_MAX);
}

Status PackedMatrix::check_shape() const {
  if (storage_ != Storage::i8) return {};
  if (groups_ * group_ != cols_) {
    return fail(Code::format, Reason::mismatch, "groups do not divide the columns");
  }
  if (group_ > kMaxGroupColumns)
    return unsupported_error("{} int8 columns share a scale; supported are {}", group_, kMaxGroupColumns);
  return {};
}

Status PackedMatrix::reserve() {
  QUINTET_CHECK(check_shape());
  QUINTET_CHECK(panels_.reserve(saturating_product(panels(), panel_bytes_)));
  if (storage_ != Storage::i8) return {};
  return zero_terms_.reserve(saturating_product(panels(), groups() * kPanelRows));
}

Status PackedMatrix::grow(size_t rows) {
  const uint64_t wanted = rows / kPanelRows + (rows % kPanelRows != 0);
  QUINTET_CHECK(grow_to(panels_, saturating_product(wanted, panel_bytes_), saturating_product(panels(), panel_bytes_)));
  if (storage_ != Storage::i8) return {};
  const uint64_t terms = groups() * kPanelRows;
  QUINTET_CHECK(grow_to(zero_terms_, saturating_product(wanted, terms), saturating_product(panels(), terms)));
  return centers_.grow(saturating_product(wanted, groups()), saturating_product(panels(), groups()));
}

Status PackedMatrix::append_rows(const std::byte* source, size_t count) {
  QUINTET_CHECK(check_shape());
  if (count > rows_ - appended_) {
    return fail(Code::internal, Reason::limit, "more rows than the matrix has");
  }
  QUINTET_CHECK(grow(appended_ + count));
  const size_t row_bytes = cols_ * element_bytes(storage_);
  if (row_bytes == 0) {
    appended_ += count;
    return {};
  }
  // A panel at a time needs whole quads in the source; groups that are padded go row by row.
  const bool whole_units = storage_ != Storage::i8 || group_ % kQuad == 0;
  while (count != 0) {
    const bool panel = whole_units && appended_ % kPanelRows == 0 && count >= kPanelRows;
    const size_t rows = panel ? kPanelRows : 1;
    panel ? append_panel(source) : append_row(source);
    if (storage_ == Storage::f16) is_finite_ = is_finite_ && all_finite_halves({source, rows * row_bytes});
    appended_ += rows;
    if (appended_ % kPanelRows == 0 || appended_ == rows_) finish_panel();
    source += rows * row_bytes;
    count -= rows;
  }
  return {};
}

void PackedMatrix::append_panel(const std::byte* source) {
  std::byte* panel = panels_.data() + appended_ / kPanelRows * panel_bytes_;
  const size_t row_bytes = cols_ * element_bytes(storage_);
  static_assert(kQuad == sizeof(float));
  element_bytes(storage_) == 2 ? pack_panel<2>(source, row_bytes, panel) : pack_panel<4>(source, row_bytes, panel);
}

void PackedMatrix::append_row(const std::byte* source) {
  std::byte* panel = panels_.data() + appended_ / kPanelRows * panel_bytes_;
  const size_t r = appended_ % kPanelRows;
  if (element_bytes(storage_) == 2) return pack_units<2>(source, cols_, panel + r * 2);
  const size_t bytes = group_ * element_bytes(storage_);  // f32 has one group
  for (size_t g = 0; g < groups(); ++g, source += bytes) {
    std::byte* lane = panel + g * group_quads() * kPanelQuadBytes + r * kQuad;
    const size_t whole = bytes / kQuad;
    pack_units<kQuad>(source, whole, lane);
    std::memcpy(lane + whole * kPanelRows * kQuad, source + whole * kQuad, bytes % kQuad);
  }
}

void PackedMatrix::finish_panel() {
  if (storage_ != Storage::i8) return;
  const size_t panel = (appended_ - 1) / kPanelRows;
  const int8_t* group = panel_i8(panel);
  int32_t* terms = zero_terms_.data() + panel * groups() * kPanelRows;
  for (size_t g = 0; g < groups(); ++g, group += group_quads() * kPanelQuadBytes, terms += kPanelRows) {
    centers_.append(group, terms);
  }
}

Status PackedMatrix::set_scales(std::span<const float> scales) {
  if (storage_ != Storage::i8 || appended_ != rows_ || scales.size() != rows_ * groups()) {
    return fail(Code::format, Reason::mismatch, "scales do not fit the weights");
  }
  QUINTET_CHECK(scales_.resize(panels() * groups() * kPanelRows));
  for (size_t row = 0; row < rows_; ++row) {
    float* lane = scales_.data() + row / kPanelRows * groups() * kPanelRows + row % kPanelRows;
    for (size_t g = 0; g < groups(); ++g) lane[g * kPanelRows] = scales[row * groups() + g];
  }
  return {};
}

void PackedMatrix::read_row(size_t row, float* out) const {
  const size_t p = row / kPanelRows;
  const size_t lane = row % kPanelRows;
  switch (storage_) {
    case Storage::f32:
      for (size_t k = 0; k < cols_; ++k) out[k] = panel_f32(p)[k * kPanelRows + lane];
      return;
    case Storage::f16:
      for (size_t k = 0; k < cols_; ++k) out[k] = f16_to_f32(panel_half(p)[k * kPanelRows + lane]);
      return;
    case Storage::bf16:
      for (size_t k = 0; k < cols_; ++k) out[k] = bf16_to_f32(panel_half(p)[k * kPanelRows + lane]);
      return;
    case Storage::i8:
      return read_row_i8(panel_i8(p) + lane * kQuad, scales(p) + lane, out);
  }
}

void PackedMatrix::write_row(size_t row, const float* values) {
  std::byte* const panel = panels_.data() + row / kPanelRows * panel_bytes_;
  const size_t lane = row % kPanelRows;
  if (storage_ == Storage::f32) {
    for (size_t k = 0; k < cols_; ++k) reinterpret_cast<float*>(panel)[k * kPanelRows + lane] = values[k];
    return;
  }
  auto* const halves = reinterpret_cast<uint16_t*>(panel);
  for (size_t k = 0; k < cols_; ++k) {
    const uint16_t half = storage_ == Storage::f16 ? f32_to_f16(values[k]) : f32_to_bf16(values[k]);
    constexpr uint16_t kExponent = 0x7C00;
    is_finite_ = is_finite_ && (half & kExponent) != kExponent;
    halves[k * kPanelRows + lane] = half;
  }
}

void PackedMatrix::read_row_i8(const int8_t* weights, const float* scales, float* out) const {
  for (size_t g = 0; g < groups(); ++g, out += group_) {
    const int8_t* group = weights + g * group_quads() * kPanelQuadBytes;
    for (size_t k = 0; k < group_; ++k) {
      const int8_t q = group[k / kQuad * kPanelRows * kQuad + k % kQuad];
      out[k] = scales[g * kPanelRows] * static_cast<float>(q);
    }
  }
}

}  // namespace quintet
