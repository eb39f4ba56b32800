#pragma once
// CacheWriter: passes a KV cache file to JavaScript, piece by piece.

#include <emscripten/bind.h>

#include <algorithm>
#include <memory>

#include "base/aligned_buffer.h"
#include "bindings/outcome.h"
#include "runtime/kv/cache_writer.h"

namespace quintet::js {

class CacheWriter : Counted {
 public:
  explicit CacheWriter(kv::CacheWriter writer) : writer_(std::move(writer)) {}

  double bytes() const { return static_cast<double>(writer_.bytes()); }
  // A view of the next piece, at most a megabyte; empty at the end.
  val take() {
    constexpr uint64_t kMaxPiece = uint64_t{1} << 20;
    if (const Status room = piece_.resize_uninitialized(std::min(writer_.bytes(), kMaxPiece)); !room) {
      return failure(room.error());
    }
    const Result<size_t> written = writer_.write(piece_.span());
    if (!written) return failure(written.error());
    return success(val(emscripten::typed_memory_view(*written, reinterpret_cast<const uint8_t*>(piece_.data()))));
  }

 private:
  kv::CacheWriter writer_;
  AlignedBuffer<std::byte> piece_;
};

// A handle that JavaScript must delete(), or an error.
inline val cache_writer_handle(Result<kv::CacheWriter> writer) {
  if (!writer) return failure(writer.error());
  return success(val(std::make_shared<CacheWriter>(std::move(*writer))));
}

// Call once in a module that returns such writers.
inline void bind_cache_writer() {
  emscripten::class_<CacheWriter>("CacheWriter")
      .smart_ptr<std::shared_ptr<CacheWriter>>("CacheWriterPointer")
      .function("bytes", &CacheWriter::bytes)
      .function("take", &CacheWriter::take);
}

}  // namespace quintet::js
