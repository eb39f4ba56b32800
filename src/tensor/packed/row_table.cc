#include "tensor/packed/row_table.h"

#include <algorithm>
#include <cstring>

#include "base/half.h"

namespace quintet {

uint64_t RowTable::data_bytes() const { return static_cast<uint64_t>(rows_) * cols_ * element_bytes(storage_); }

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

template <class Put>
void RowTable::for_each_value(size_t row, Put put) const {
  const std::byte* source = data_.data() + row * cols_ * element_bytes(storage_);
  switch (storage_) {
    case Storage::f32: {
      const float* values = reinterpret_cast<const float*>(source);
      for (size_t i = 0; i < cols_; ++i) put(i, values[i]);
      break;
    }
    case Storage::f16: {
      const uint16_t* values = reinterpret_cast<const uint16_t*>(source);
      for (size_t i = 0; i < cols_; ++i) put(i, f16_to_f32(values[i]));
      break;
    }
    case Storage::bf16: {
      const uint16_t* values = reinterpret_cast<const uint16_t*>(source);
      for (size_t i = 0; i < cols_; ++i) put(i, bf16_to_f32(values[i]));
      break;
    }
    case Storage::i8: {
      const int8_t* values = reinterpret_cast<const int8_t*>(source);
      const float* scales = scales_.data() + row * groups();
      const size_t group = cols_ / groups();
      for (size_t g = 0, i = 0; g < groups(); ++g) {
        for (size_t end = i + group; i < end; ++i) put(i, static_cast<float>(values[i]) * scales[g]);
      }
      break;
    }
  }
}

void RowTable::read_row(size_t row, float* out) const {
  for_each_value(row, [out](size_t i, float value) { out[i] = value; });
}

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
  for_each_value(row, [out](size_t i, float value) { out[i] += value; });
}

}  // namespace quintet
