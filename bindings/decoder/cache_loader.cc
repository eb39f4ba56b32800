#include "bindings/decoder/cache_loader.h"

#include <emscripten/bind.h>

#include <utility>

#include "bindings/intake.h"
#include "runtime/kv/kv_cache_sink.h"

namespace quintet::js {
namespace {

// The reader is a member, and so initialized, before the intake that refers to it.
struct LoaderSink {
  kv::KvCacheSink reader;
};

Parse<void> read_cache(ByteStream& in, std::optional<Format>, ModelSink& sink, ReadOptions) {
  return kv::read_cache(in, static_cast<kv::KvCacheSink&>(sink));
}

class CacheLoader : private LoaderSink, public Intake {
 public:
  CacheLoader(std::shared_ptr<GenerationSession> session, double total, kv::LoadOptions options)
      : LoaderSink{kv::KvCacheSink(session->cache_target())},
        Intake({}, total, reader, {}, read_cache),
        session_(std::move(session)),
        options_(std::move(options)) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    return outcome(session_->restore(reader.take(), std::move(options_.tokens), options_.sampler));
  }

 private:
  std::shared_ptr<GenerationSession> session_;
  kv::LoadOptions options_;
};

}  // namespace

val cache_loader_handle(std::shared_ptr<GenerationSession> session, double total, kv::LoadOptions options) {
  return success(val(std::make_shared<CacheLoader>(std::move(session), total, std::move(options))));
}

EMSCRIPTEN_BINDINGS(cache_loader) {
  using namespace emscripten;
  class_<CacheLoader, base<Intake>>("CacheLoader")
      .smart_ptr<std::shared_ptr<CacheLoader>>("CacheLoaderPointer")
      .function("finish", &CacheLoader::finish);
}

}  // namespace quintet::js
