#pragma once
// Identifies the model of a KV cache.

#include <string>
#include <string_view>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/kv_cache/cache_file.h"

namespace quintet::kv {

// 16 hexadecimal digits: FNV-1a 64 of the sizes that make caches exchangeable (docs/kv-cache.md).
std::string fingerprint(const DecoderConfig& config);

// The metadata of a saved cache: model (if it has a name), fingerprint, rope_theta, and the windows of the layers and
// the list of longrope's factors of models that have them.
Json identity_metadata(const DecoderConfig& config, std::string_view model_name);

// Whether the cache of a file can continue in this model. FORMAT, mismatch, if a shape or a metadata key (fingerprint,
// num_layers, num_kv_heads, head_dim, rope_theta, sliding_window, full_attention_layers, rope_factors) differs; files
// of earlier versions have no windows, and a missing key is not an error. The name of the model may differ: files of
// the same model have different names.
Status check_identity(const CacheFile& file, const DecoderConfig& config);

}  // namespace quintet::kv
