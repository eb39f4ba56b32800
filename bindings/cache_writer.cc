#include "bindings/cache_writer.h"

#include <emscripten/bind.h>

#include <algorithm>
#include <memory>

namespace quintet::js {
namespace {

constexpr uint64_t kMostPiece = uint64_t{1} << 20;

}  // namespace

val CacheWriter::take() {
  if (const Status room = piece_.resize_uninitialized(std::min(writer_.bytes(), kMostPiece)); !room) {
    return failure(room.error());
  }
  const Result<size_t> written = writer_.write(piece_.span());
  if (!written) return failure(written.error());
  return success(val(emscripten::typed_memory_view(*written, reinterpret_cast<const uint8_t*>(piece_.data()))));
}

val cache_writer_handle(Result<kv::CacheWriter> writer) {
  if (!writer) return failure(writer.error());
  return success(val(std::make_shared<CacheWriter>(std::move(*writer))));
}

void bind_cache_writer() {
  emscripten::class_<CacheWriter>("CacheWriter")
      .smart_ptr<std::shared_ptr<CacheWriter>>("CacheWriterPointer")
      .function("bytes", &CacheWriter::bytes)
      .function("take", &CacheWriter::take);
}

}  // namespace quintet::js
