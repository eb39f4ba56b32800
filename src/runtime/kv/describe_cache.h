#pragma once
// A KV cache file and the quality of a compressed one as JSON, for the command line and for JavaScript.

#include "base/json.h"
#include "formats/kv_cache/cache_file.h"
#include "runtime/kv/quality.h"

namespace quintet::kv {

// { layers, kvHeads, positions, headDim, dtype, layout, group, tokens, dataBytes }
Json describe(const CacheFile& file);
// { rmse, snr_db, cosine_similarity, max_error, quality_level, violations }; an infinite snr_db is null.
Json describe(const Quality& quality);

}  // namespace quintet::kv
