// KvCacheFile: a KV cache file of any model, to be compared or written in another form.

#include <emscripten/bind.h>

#include <optional>
#include <string>

#include "base/json.h"
#include "bindings/cache_writer.h"
#include "bindings/intake.h"
#include "runtime/kv/cache_options.h"
#include "runtime/kv/kv_cache_sink.h"
#include "runtime/kv/quality.h"

namespace quintet::js {
namespace {

Parse<void> read(ByteStream& in, std::optional<Format>, ModelSink& sink, ReadOptions) {
  return kv::read_cache(in, static_cast<kv::KvCacheSink&>(sink));
}

class KvCacheFile : public Intake<kv::KvCacheSink> {
 public:
  explicit KvCacheFile(double total) : Intake({.format = "safetensors", .total = total}, read, std::nullopt) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    if (!content_) content_ = sink.take();
    return success(val(write_json(kv::describe(sink.file()))));
  }

  val write(const std::string& options) const {
    if (!content_) return failure(unread());
    return cache_writer_handle(writer(options));
  }

  val compare(const KvCacheFile& other) const {
    if (!content_ || !other.content_) return failure(unread());
    const auto quality = kv::compare(content_->cache, other.content_->cache);
    return quality ? success(val(write_json(kv::describe(*quality)))) : failure(quality.error());
  }

 private:
  static Error unread() {
    return {.code = Code::input, .reason = Reason::missing, .detail = "the cache has not been read yet"};
  }

  Result<kv::CacheWriter> writer(const std::string& options) const {
    QUINTET_TRY(const kv::SaveOptions read, kv::read_save_options(options));
    QUINTET_TRY(const kv::Storage storage, kv::storage_for(read, content_->cache.shape().common_head_dim()));
    return kv::CacheWriter::create(*content_, storage);
  }

  std::optional<kv::CacheContent> content_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(kv_cache_file) {
  using namespace emscripten;
  bind_cache_writer();
  class_<KvCacheFile, base<Feed>>("KvCacheFile")
      .constructor<double>()
      .function("finish", &KvCacheFile::finish)
      .function("write", &KvCacheFile::write)
      .function("compare", &KvCacheFile::compare);
}

}  // namespace quintet::js
