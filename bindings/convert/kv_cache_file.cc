// KvCacheFile: a KV cache file of any model, to be written in another form or compared.

#include <emscripten/bind.h>

#include <optional>
#include <string>

#include "base/json.h"
#include "bindings/cache_writer.h"
#include "bindings/intake.h"
#include "runtime/kv/cache_options.h"
#include "runtime/kv/cache_reader.h"
#include "runtime/kv/quality.h"

namespace quintet::js {
namespace {

Parse<void> read(ByteStream& in, std::optional<Format>, ModelSink& sink, ReadOptions) {
  return kv::read_cache(in, static_cast<kv::CacheReader&>(sink));
}

std::string_view name_of(kv::Layout layout) {
  switch (layout) {
    case kv::Layout::plain:
      return "plain";
    case kv::Layout::rounded:
      return "float";
    case kv::Layout::packed:
      return "packed";
  }
  return "plain";
}

// Of keys and values, scales included.
uint64_t data_bytes(const kv::CacheFile& file) {
  const auto& [layers, kv_heads, positions, head_dim] = file.shape;
  const uint64_t rows = 2 * layers * kv_heads * positions;
  if (file.storage.layout != kv::Layout::packed) return rows * head_dim * bits_of(file.storage.dtype) / 8;
  return rows * (head_dim / 2 + head_dim / file.storage.group * bits_of(Dtype::f16) / 8);
}

std::string facts_of(const kv::CacheFile& file) {
  Json facts = Json::object();
  facts.append("layers", file.shape.layers);
  facts.append("kvHeads", file.shape.kv_heads);
  facts.append("positions", file.shape.positions);
  facts.append("headDim", file.shape.head_dim);
  facts.append("dtype", name_of(file.storage.dtype));
  facts.append("layout", name_of(file.storage.layout));
  facts.append("group", file.storage.group);
  facts.append("tokens", file.has_tokens);
  facts.append("dataBytes", data_bytes(file));
  return write_json(facts);
}

std::string report_of(const kv::Quality& quality) {
  Json violations = Json::array();
  for (std::string& violation : quality.violations()) violations.push_back(std::move(violation));
  Json report = Json::object();
  report.append("rmse", quality.rmse);
  report.append("snr_db", quality.snr_db);  // infinite: null
  report.append("cosine_similarity", quality.cosine_similarity);
  report.append("max_error", quality.max_error);
  report.append("quality_level", quality.level());
  report.append("violations", std::move(violations));
  return write_json(report);
}

class KvCacheFile : public Intake<kv::CacheReader> {
 public:
  explicit KvCacheFile(double total) : Intake({.format = "safetensors", .total = total}, read, std::nullopt) {}

  val finish() {
    if (const Status status = finish_reading(); !status) return failure(status.error());
    if (!content_) content_ = sink.take();
    return success(val(facts_of(sink.file())));
  }

  val write(const std::string& options) const {
    if (!content_) return failure(unread());
    return cache_writer_handle(writer(options));
  }

  val compare(const KvCacheFile& other) const {
    if (!content_ || !other.content_) return failure(unread());
    const auto quality = kv::compare(content_->cache, other.content_->cache);
    return quality ? success(val(report_of(*quality))) : failure(quality.error());
  }

 private:
  static Error unread() {
    return {.code = Code::input, .reason = Reason::missing, .detail = "the cache is not read yet"};
  }

  Result<kv::CacheWriter> writer(const std::string& options) const {
    QUINTET_TRY(const kv::SaveOptions read, kv::read_save_options(options));
    QUINTET_TRY(const kv::Storage storage, kv::storage_for(read, content_->cache.shape().row.head_dim));
    return kv::CacheWriter::create(*content_, storage);
  }

  std::optional<kv::CacheContent> content_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(kv_cache_file) {
  using namespace emscripten;
  bind_intake();
  bind_cache_writer();
  class_<KvCacheFile, base<Feed>>("KvCacheFile")
      .constructor<double>()
      .function("finish", &KvCacheFile::finish)
      .function("write", &KvCacheFile::write)
      .function("compare", &KvCacheFile::compare);
}

}  // namespace quintet::js
