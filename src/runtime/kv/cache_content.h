#pragma once
// The content of a KV cache file, in memory.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json.h"
#include "formats/kv_cache/cache_file.h"
#include "models/decoder/kv_cache.h"

namespace quintet::kv {

struct CacheContent {
  decoder::KvCache cache;
  std::optional<std::vector<uint32_t>> tokens;  // one per position
  std::vector<float> logits;                    // after the last position; may be empty
  Json metadata = Json::object();               // of the file
};

}  // namespace quintet::kv
