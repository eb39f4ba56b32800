#pragma once
// Reads a KV cache file directly into the pages of a cache. The content is only returned after the whole file was
// checked.

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

// The properties that a file must match.
struct CacheTarget {
  DecoderConfig config;
  decoder::KvCache::Shape shape;
  uint64_t max_positions = 0;
};

class KvCacheSink final : public ModelSink {
 public:
  // Without a target any cache is read, into f32 rows without a window.
  explicit KvCacheSink(std::optional<CacheTarget> target) : target_(std::move(target)) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // The description of the file; after begin().
  const CacheFile& file() const { return file_; }
  // The content; only once, after end(). Ids are below n_vocab of the target, values are finite.
  CacheContent take() { return *std::move(content_); }

 private:
  class Flat;
  class Rows;
  class States;

  // For a packed tensor, its q or its scales, whichever comes first: kept until the other arrives.
  struct FirstPart {
    std::optional<TensorRole::Kind> kind;
    AlignedBuffer<std::byte> bytes;
    uint64_t offset = 0;  // in the file
  };

  decoder::KvCache::Shape cache_shape() const;
  Status check_states() const;
  Status make_room(bool bytes_exist);
  Status make_states();
  uint64_t vocabulary() const;  // ids are below it
  Status check_token_ids() const;

  std::optional<CacheTarget> target_;
  CacheFile file_;
  std::optional<CacheContent> content_;
  std::vector<FirstPart> first_parts_;                            // of the keys and values of each layer
  std::vector<std::shared_ptr<decoder::RecurrentState>> states_;  // of each checkpoint; null if it is not kept
  // One row.
  std::vector<float> values_;
  std::vector<std::byte> packed_row_;
};

// Reads a file into the reader. Errors have the format and the offset.
Parse<void> read_cache(ByteStream& in, KvCacheSink& reader);

}  // namespace quintet::kv
