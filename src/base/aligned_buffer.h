#pragma once
// Memory for weights and activations, aligned for SIMD. Allocations can fail without a trap.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "base/result.h"

namespace quintet {

#ifdef __wasm64__
// Total bytes of all buffers. Used by modules with 64-bit memory, which have one thread: their allocator only counts 32
// bits.
inline size_t aligned_bytes = 0;
#endif

// A growable array of trivial values whose start is aligned to a cache line.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr size_t kAlignment = 64;

  AlignedBuffer() = default;
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~AlignedBuffer() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

  // Reserves room for `count` values in total. Existing values are kept.
  Status reserve(uint64_t count) {
    if (count <= capacity_) return {};
    constexpr uint64_t kMax = (SIZE_MAX - kAlignment) / sizeof(T);
    if (count > kMax) return memory_error(count > UINT64_MAX / sizeof(T) ? UINT64_MAX : count * sizeof(T));
    const size_t bytes = bytes_of(static_cast<size_t>(count));
    T* grown = static_cast<T*>(std::aligned_alloc(kAlignment, bytes));
    if (grown == nullptr) return memory_error(bytes);
    if (size_ != 0) std::memcpy(grown, data_, size_ * sizeof(T));
    release();
    data_ = grown;
    capacity_ = static_cast<size_t>(count);
#ifdef __wasm64__
    aligned_bytes += bytes;
#endif
    return {};
  }

  // New values are zero.
  Status resize(uint64_t count) {
    if (count > capacity_) QUINTET_CHECK(reserve(count));
    const size_t wanted = static_cast<size_t>(count);
    if (wanted > size_) std::memset(static_cast<void*>(data_ + size_), 0, (wanted - size_) * sizeof(T));
    size_ = wanted;
    return {};
  }

  // New values are uninitialized, for buffers that are overwritten at once.
  Status resize_uninitialized(uint64_t count) {
    if (count > capacity_) QUINTET_CHECK(reserve(count));
    size_ = static_cast<size_t>(count);
    return {};
  }

 private:
  static size_t bytes_of(size_t count) { return (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment; }
  void release() {
    std::free(data_);
#ifdef __wasm64__
    aligned_bytes -= bytes_of(capacity_);
#endif
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace quintet
