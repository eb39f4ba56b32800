#pragma once
// Reads a KV cache file straight into the pages of a cache. Nothing is given out before the whole file was right.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "architectures/decoder/config.h"
#include "base/aligned_buffer.h"
#include "base/task.h"
#include "formats/model_sink.h"
#include "runtime/kv/cache_content.h"

namespace quintet::kv {

// What a file must fit.
struct CacheTarget {
  DecoderConfig config;
  decoder::KvCache::Shape shape;
  uint64_t most_positions = 0;
};

class KvCacheSink final : public ModelSink {
 public:
  // Without a target any cache is read, into rows of f32 without a window.
  explicit KvCacheSink(std::optional<CacheTarget> target) : target_(std::move(target)) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

  // What the file says of itself; after begin().
  const CacheFile& file() const { return file_; }
  // The content; once, after end(). Ids are below n_vocab of the target, values are finite.
  CacheContent take() { return *std::move(content_); }

 private:
  class Flat;
  class Rows;

  // Of a packed tensor, its q or its scales, whatever comes first: kept until the other comes.
  struct FirstPart {
    std::optional<TensorRole::Kind> kind;
    AlignedBuffer<std::byte> bytes;
    uint64_t offset = 0;  // in the file
  };

  decoder::KvCache::Shape cache_shape() const;
  Status make_room(bool certain);
  uint64_t vocabulary() const;  // ids are below it
  Status check_token_ids() const;

  std::optional<CacheTarget> target_;
  CacheFile file_;
  KvRowLayout row_;     // of the cache
  KvRowLayout packed_;  // of a packed file, q and scales joined
  std::optional<CacheContent> content_;
  std::vector<FirstPart> first_parts_;  // of the keys and values of each layer
  // One row.
  std::vector<float> values_;
  std::vector<std::byte> packed_row_;
};

// Reads a file into the reader; errors name the format and the byte that is wrong.
Parse<void> read_cache(ByteStream& in, KvCacheSink& reader);

}  // namespace quintet::kv
