#pragma once
// CacheWriter: a KV cache file on its way to JavaScript.

#include "base/aligned_buffer.h"
#include "bindings/outcome.h"
#include "runtime/kv/cache_writer.h"

namespace quintet::js {

class CacheWriter : Counted {
 public:
  explicit CacheWriter(kv::CacheWriter writer) : writer_(std::move(writer)) {}

  double bytes() const { return static_cast<double>(writer_.bytes()); }
  // A view of the next piece, at most a megabyte; empty at the end.
  val take();

 private:
  kv::CacheWriter writer_;
  AlignedBuffer<std::byte> piece_;
};

// A handle that JavaScript must delete(), or why there is none.
val cache_writer_handle(Result<kv::CacheWriter> writer);

// Once in a module that hands them out.
void bind_cache_writer();

}  // namespace quintet::js
