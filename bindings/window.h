#pragma once
// Passes bytes from JavaScript into WebAssembly memory.

#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/aligned_buffer.h"

namespace quintet::js {

// A buffer that JavaScript fills through a view, which it uses at once and does not keep.
class Window {
 public:
  // A view of `bytes` bytes; null if there is not enough memory.
  emscripten::val view(size_t bytes) {
    if (!buffer_.resize_uninitialized(bytes)) return emscripten::val::null();
    return emscripten::val(emscripten::typed_memory_view(bytes, reinterpret_cast<uint8_t*>(buffer_.data())));
  }

  // A view of floats; null without memory.
  emscripten::val float_view(size_t count) {
    if (count > SIZE_MAX / sizeof(float) || !buffer_.resize_uninitialized(count * sizeof(float))) {
      return emscripten::val::null();
    }
    return emscripten::val(emscripten::typed_memory_view(count, reinterpret_cast<const float*>(buffer_.data())));
  }

  // Everything that the last view covered.
  std::span<const std::byte> all() const { return buffer_.span(); }
  // The first `bytes` bytes of it.
  std::span<const std::byte> bytes(size_t bytes) const {
    return buffer_.span().first(bytes < buffer_.size() ? bytes : buffer_.size());
  }
  std::string_view text(size_t length) const {
    const auto written = bytes(length);
    return {reinterpret_cast<const char*>(written.data()), written.size()};
  }

  // Releases the memory of an unusually long input.
  void shrink() {
    constexpr size_t kMaxKept = size_t{1} << 20;
    if (buffer_.capacity() > kMaxKept) buffer_ = {};
  }
  void release() { buffer_ = {}; }

 private:
  AlignedBuffer<std::byte> buffer_;
};

}  // namespace quintet::js
