#include "models/decoder/kv_cache.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/checked.h"

namespace quintet::decoder {
namespace {

// A page is [layers][kv_heads][keys, values][kPagePositions] rows.
constexpr size_t kKeyAndValue = 2;

uint64_t page_bytes(const KvCache::Shape& shape) {
  std::optional<uint64_t> bytes = kKeyAndValue * KvCache::kPagePositions;
  for (const uint64_t factor : {shape.layers, shape.kv_heads, shape.row.bytes}) {
    if (bytes) bytes = checked_mul(*bytes, factor);
  }
  return bytes.value_or(UINT64_MAX);
}

size_t page_of(size_t position) { return position / KvCache::kPagePositions; }

}  // namespace

struct KvCache::Page {
  AlignedBuffer<std::byte> rows;
};

size_t KvCache::first() const { return first_page_ * kPagePositions; }

size_t KvCache::bytes() const {
  size_t bytes = 0;
  for (const auto& page : pages_) bytes += page ? page->rows.capacity() : 0;
  return bytes;
}

uint64_t KvCache::bytes_for(const Shape& shape, size_t positions) {
  // A window and the extension after it may start and end anywhere in a page.
  uint64_t pages = (uint64_t{positions} + kPagePositions - 1) / kPagePositions;
  if (shape.window != 0) {
    pages = std::min(pages, (uint64_t{shape.window} + kMaxExtension) / kPagePositions + 2);
  }
  return checked_mul(pages, page_bytes(shape)).value_or(UINT64_MAX);
}

std::shared_ptr<KvCache::Page> KvCache::own_page(const Page* shared) const {
  auto page = std::make_shared<Page>();
  if (!page->rows.resize_uninitialized(page_bytes(shape_))) return nullptr;
  if (shared != nullptr) std::memcpy(page->rows.data(), shared->rows.data(), page->rows.size());
  return page;
}

Status KvCache::extend(size_t count) {
  if (count == 0) return {};
  const size_t begin = page_of(length_);
  const size_t end = page_of(length_ + count - 1) + 1;
  std::vector<std::shared_ptr<Page>> own;
  for (size_t p = begin; p < end; ++p) {
    const std::shared_ptr<Page> present = p < pages_.size() ? pages_[p] : nullptr;
    // This variable and pages_, but no fork.
    const bool is_own = present && present.use_count() == 2;
    own.push_back(is_own ? present : own_page(present.get()));
    if (!own.back()) return memory_error(page_bytes(shape_));
  }
  pages_.resize(std::max(pages_.size(), end));
  std::ranges::move(own, pages_.begin() + static_cast<ptrdiff_t>(begin));
  return {};
}

Result<KvCache> KvCache::with_positions(const Shape& shape, size_t positions) {
  KvCache cache(shape);
  cache.length_ = positions;
  cache.first_page_ = page_of(shape.first_seen_by(positions));
  cache.pages_.resize(page_of(positions + kPagePositions - 1));
  for (size_t p = cache.first_page_; p < cache.pages_.size(); ++p) {
    cache.pages_[p] = cache.own_page(nullptr);
    if (!cache.pages_[p]) return memory_error(bytes_for(shape, positions));
  }
  return cache;
}

size_t KvCache::row_offset(size_t layer, size_t kv_head, size_t position) const {
  const size_t head_rows = (layer * shape_.kv_heads + kv_head) * kKeyAndValue * kPagePositions;
  return (head_rows + position % kPagePositions) * shape_.row.bytes;
}

bool KvCache::write(size_t layer, size_t position, const float* keys, const float* values) {
  const KvRowLayout& row = shape_.row;
  std::byte* page = pages_[page_of(position)]->rows.data();
  bool is_held = true;
  for (size_t head = 0; head < shape_.kv_heads; ++head) {
    std::byte* key = page + row_offset(layer, head, position);
    is_held =
        is_held && kv_row_holds(row, keys + head * row.head_dim) && kv_row_holds(row, values + head * row.head_dim);
    encode_kv_row(row, keys + head * row.head_dim, key);
    encode_kv_row(row, values + head * row.head_dim, key + kPagePositions * row.bytes);
  }
  return is_held;
}

const std::byte* KvCache::row(size_t layer, size_t kv_head, Part part, size_t position) const {
  const Page* page = pages_[page_of(position)].get();
  if (page == nullptr) return nullptr;
  return page->rows.data() + row_offset(layer, kv_head, position) +
         (part == Part::value ? kPagePositions * shape_.row.bytes : 0);
}

std::byte* KvCache::row(size_t layer, size_t kv_head, Part part, size_t position) {
  return const_cast<std::byte*>(std::as_const(*this).row(layer, kv_head, part, position));
}

void KvCache::commit(size_t count) {
  length_ += count;
  for (const size_t seen = page_of(shape_.first_seen_by(length_)); first_page_ < seen; ++first_page_) {
    pages_[first_page_].reset();
  }
}

KvCache::Run KvCache::run_at(size_t layer, size_t kv_head, size_t position, size_t end) const {
  const size_t page_end = (page_of(position) + 1) * kPagePositions;
  const std::byte* key = pages_[page_of(position)]->rows.data() + row_offset(layer, kv_head, position);
  return {.begin = position,
          .count = std::min(end, page_end) - position,
          .keys = key,
          .values = key + kPagePositions * shape_.row.bytes};
}

Status KvCache::rewind(size_t length) {
  if (length > length_) {
    return input_error(Reason::out_of_range,
                       "cannot rewind to " + std::to_string(length) + " of " + std::to_string(length_) + " positions");
  }
  // The first position sees nothing before it.
  if (length != 0 && shape_.first_seen_by(length) < first()) {
    return input_error(Reason::out_of_range, "cannot rewind to position " + std::to_string(length) +
                                                 ": the sliding window no longer contains what it needs");
  }
  length_ = length;
  pages_.resize(page_of(length + kPagePositions - 1));
  if (length == 0) first_page_ = 0;
  return {};
}

}  // namespace quintet::decoder
