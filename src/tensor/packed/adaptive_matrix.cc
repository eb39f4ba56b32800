#include "tensor/packed/adaptive_matrix.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "tensor/finite.h"

namespace quintet {
namespace {

constexpr size_t kScaleBytes = sizeof(float);

size_t whole_words(size_t bytes) { return (bytes + 3) / 4 * 4; }
size_t half_of(size_t block) { return (block + 1) / 2; }

void put_nibble(std::byte* nibbles, size_t block, size_t i, unsigned u) {
  const size_t half = half_of(block);
  if (i < half) {
    nibbles[i] |= static_cast<std::byte>(u % 16);
  } else {
    nibbles[i - half] |= static_cast<std::byte>(u % 16 << 4);
  }
}

unsigned nibble(const std::byte* nibbles, size_t block, size_t i) {
  const size_t half = half_of(block);
  return i < half ? std::to_integer<unsigned>(nibbles[i]) & 15 : std::to_integer<unsigned>(nibbles[i - half]) >> 4;
}

// `record` must be zeroed by the caller.
void put_value(BlockCode code, std::byte* record, size_t block, size_t i, int q) {
  std::byte* const values = record + kScaleBytes;
  if (code == BlockCode::int8) {
    values[i] = static_cast<std::byte>(q);
    return;
  }
  const auto u = static_cast<unsigned>(q + (code == BlockCode::int4 ? 8 : 16));
  put_nibble(values, block, i, u);
  if (code == BlockCode::int5) values[half_of(block) + i / 8] |= static_cast<std::byte>(u / 16 << i % 8);
}

template <class T>
Status grow_to(AlignedBuffer<T>& buffer, uint64_t count) {
  if (count > buffer.capacity()) {
    QUINTET_CHECK(buffer.reserve(std::max(count, uint64_t{buffer.capacity()} + buffer.capacity() / 2)));
  }
  return buffer.resize_uninitialized(count);
}

// Shrinks the memory to fit the values. If there is not enough memory for a copy, the old one is kept.
template <class T>
void fit(AlignedBuffer<T>& buffer) {
  AlignedBuffer<T> exact;
  if (buffer.capacity() == buffer.size() || !exact.resize_uninitialized(buffer.size())) return;
  std::memcpy(exact.data(), buffer.data(), buffer.size() * sizeof(T));
  buffer = std::move(exact);
}

}  // namespace

int adaptive_value(BlockCode code, const std::byte* record, size_t block, size_t i) {
  const std::byte* const values = record + kScaleBytes;
  if (code == BlockCode::int8) return static_cast<int8_t>(values[i]);
  const auto u = static_cast<int>(nibble(values, block, i));
  if (code == BlockCode::int4) return u - 8;
  const int high = std::to_integer<int>(values[half_of(block) + i / 8]) >> i % 8 & 1;
  return u + 16 * high - 16;
}

size_t AdaptiveMatrix::record_bytes(BlockCode code) const {
  switch (code) {
    case BlockCode::int4:
      return whole_words(kScaleBytes + half_of(block_));
    case BlockCode::int5:
      return whole_words(kScaleBytes + half_of(block_) + (block_ + 7) / 8);
    case BlockCode::int8:
      return whole_words(kScaleBytes + block_);
    case BlockCode::fp16:
      return whole_words(block_ * sizeof(uint16_t));
  }
  return 0;
}

// Appends a zeroed record to those of its code.
Status AdaptiveMatrix::begin_record(BlockCode code, size_t values, std::byte*& record) {
  if (rows_index_.size() == rows_ || values != block_) {
    return fail(Code::internal, Reason::limit, "more blocks than the matrix has");
  }
  if (blocks() > std::numeric_limits<uint16_t>::max()) {
    return unsupported_error("an ADAPTIVE matrix with {} blocks in a row; at most 65535 are supported", blocks());
  }
  const auto list = static_cast<size_t>(code);
  pending_.positions[list].push_back(static_cast<uint16_t>(pending_.blocks));
  std::vector<std::byte>& records = pending_.records[list];
  records.resize(records.size() + record_bytes(code));
  record = records.data() + records.size() - record_bytes(code);
  return {};
}

Status AdaptiveMatrix::end_record() {
  if (++pending_.blocks < blocks()) return {};
  QUINTET_CHECK(append_row());
  pending_.blocks = 0;
  if (rows_index_.size() < rows_) return {};
  pending_ = {};
  fit(data_);
  fit(rows_index_);
  return {};
}

Status AdaptiveMatrix::append_block(BlockCode code, std::span<const int8_t> q, float scale) {
  std::byte* record = nullptr;
  QUINTET_CHECK(begin_record(code, q.size(), record));
  std::memcpy(record, &scale, kScaleBytes);
  for (size_t i = 0; i < q.size(); ++i) put_value(code, record, block_, i, q[i]);
  return end_record();
}

Status AdaptiveMatrix::append_halves(std::span<const uint16_t> halves) {
  std::byte* record = nullptr;
  QUINTET_CHECK(begin_record(BlockCode::fp16, halves.size(), record));
  std::memcpy(record, halves.data(), halves.size_bytes());
  is_finite_ = is_finite_ && all_finite_halves(std::as_bytes(halves));
  return end_record();
}

Status AdaptiveMatrix::append_row() {
  const uint64_t start = data_.size();
  uint64_t bytes = whole_words(blocks() * sizeof(uint16_t));
  for (const auto& records : pending_.records) bytes += records.size();
  QUINTET_CHECK(grow_to(data_, start + bytes));
  QUINTET_CHECK(grow_to(rows_index_, rows_index_.size() + 1));

  RowIndex& index = rows_index_[rows_index_.size() - 1];
  index.start = start;
  std::byte* position = data_.data() + start;
  std::byte* record = position + whole_words(blocks() * sizeof(uint16_t));
  std::memset(record - sizeof(uint32_t), 0, sizeof(uint32_t));
  for (size_t code = 0; code < kBlockCodes; ++code) {
    std::vector<uint16_t>& positions = pending_.positions[code];
    std::vector<std::byte>& records = pending_.records[code];
    index.counts[code] = static_cast<uint16_t>(positions.size());
    position = std::ranges::copy(std::as_bytes(std::span(positions)), position).out;
    record = std::ranges::copy(records, record).out;
    positions.clear();
    records.clear();
  }
  return {};
}

AdaptiveMatrix::Row AdaptiveMatrix::row(size_t row) const {
  const RowIndex& index = rows_index_[row];
  const std::byte* const start = data_.data() + index.start;
  const auto* positions = reinterpret_cast<const uint16_t*>(start);
  const std::byte* records = start + whole_words(blocks() * sizeof(uint16_t));
  Row runs;
  for (size_t code = 0; code < kBlockCodes; ++code) {
    const size_t count = index.counts[code];
    runs[code] = {positions, records, count};
    positions += count;
    records += count * record_bytes(static_cast<BlockCode>(code));
  }
  return runs;
}

void AdaptiveMatrix::read_row(size_t row, float* out) const {
  const Row runs = this->row(row);
  for (size_t c = 0; c < kBlockCodes; ++c) {
    const auto code = static_cast<BlockCode>(c);
    const std::byte* record = runs[c].records;
    for (size_t i = 0; i < runs[c].count; ++i, record += record_bytes(code)) {
      float* const values = out + runs[c].positions[i] * block_;
      const auto* const halves = reinterpret_cast<const uint16_t*>(record);
      const float scale = *reinterpret_cast<const float*>(record);
      for (size_t j = 0; j < block_; ++j) {
        values[j] = code == BlockCode::fp16 ? f16_to_f32(halves[j])
                                            : static_cast<float>(adaptive_value(code, record, block_, j)) * scale;
      }
    }
  }
}

}  // namespace quintet
