#include "tensor/packed/row_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "base/half.h"

namespace quintet {

uint64_t RowTable::data_bytes() const { return static_cast<uint64_t>(rows_) * cols_ * element_bytes(storage_); }

uint64_t RowTable::whole_bytes() const {
  return data_bytes() + (storage_ == Storage::i8 ? uint64_t{rows_} * groups() * sizeof(float) : 0);
}

Status RowTable::append(const std::byte* source, size_t count) {
  const size_t begin = data_.size();
  if (data_.capacity() < begin + count) {
    // The length of the input is unknown: grows with what arrives, never beyond the table.
    const uint64_t grown = std::max<uint64_t>(uint64_t{data_.capacity()} * 3 / 2, begin + uint64_t{count});
    QUINTET_CHECK(data_.reserve(std::min<uint64_t>(grown, data_bytes())));
  }
  QUINTET_CHECK(data_.resize_uninitialized(begin + uint64_t{count}));
  std::memcpy(data_.data() + begin, source, count);
  return {};
}

Status RowTable::set_scales(std::span<const float> scales) {
  QUINTET_CHECK(scales_.resize_uninitialized(scales.size()));
  std::copy(scales.begin(), scales.end(), scales_.data());
  return {};
}

void RowTable::read(size_t row, size_t begin, std::span<float> out) const {
  const size_t bytes = element_bytes(storage_);
  decode(dtype_of(storage_), {data_.data() + (row * cols_ + begin) * bytes, out.size() * bytes}, out);
  if (storage_ != Storage::i8) return;
  const float* scales = scales_.data() + row * groups();
  const size_t group = cols_ / groups();
  for (size_t i = 0; i < out.size();) {
    const size_t number = (begin + i) / group;
    for (const size_t end = std::min(out.size(), (number + 1) * group - begin); i < end; ++i) out[i] *= scales[number];
  }
}

void RowTable::read_row(size_t row, float* out) const { read(row, 0, {out, cols_}); }

void RowTable::write_row(size_t row, const float* values) {
  std::byte* target = data_.data() + row * cols_ * element_bytes(storage_);
  if (storage_ == Storage::f32) {
    std::memcpy(target, values, cols_ * sizeof(float));
    return;
  }
  auto* halves = reinterpret_cast<uint16_t*>(target);
  for (size_t i = 0; i < cols_; ++i) {
    halves[i] = storage_ == Storage::f16 ? f32_to_f16(values[i]) : f32_to_bf16(values[i]);
  }
}

void RowTable::add_row(size_t row, float* out) const {
  std::array<float, 64> some;
  for (size_t begin = 0; begin < cols_; begin += some.size()) {
    const std::span<float> values = std::span(some).first(std::min(some.size(), cols_ - begin));
    read(row, begin, values);
    std::ranges::transform(values, std::span(out + begin, values.size()), out + begin, std::plus<>());
  }
}

}  // namespace quintet
