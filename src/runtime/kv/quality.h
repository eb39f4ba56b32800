#pragma once
// The quality of a KV cache after compression: the report of docs/kv-cache.md, its limits, and the report as JSON for
// the command line and JavaScript.

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/kv_cache/cache_file.h"
#include "models/decoder/kv_cache.h"

namespace quintet::kv {

struct Quality {
  // Averages over the tensors, a key and a value per layer; max_error over all values.
  double rmse = 0;
  // Power of the original around its mean over that of the error: infinite without an error. If the original is
  // constant, a negative number below every limit.
  double snr_db = 0;
  double cosine_similarity = 0;  // 1 for zeros compared with zeros
  double max_error = 0;

  // "RMSE 0.1204 >= 0.1": the limits that are missed; empty if it passes.
  std::vector<std::string> violations() const;
  // EXCELLENT, GOOD, ACCEPTABLE or POOR, by RMSE and SNR.
  std::string_view level() const;
};

// INPUT, mismatch, if their shapes or lengths differ. Their rows may be of any type; neither may have a window.
Result<Quality> compare(const decoder::KvCache& original, const decoder::KvCache& other);

// { layers, kvHeads, positions, headDim, dtype, layout, group, tokens, dataBytes }
Json describe(const CacheFile& file);
// { rmse, snr_db, cosine_similarity, max_error, quality_level, violations }; an infinite snr_db is null.
Json describe(const Quality& quality);

}  // namespace quintet::kv
