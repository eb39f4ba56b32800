#pragma once
// The part of a pass that belongs to one sequence. Matrices multiply the rows of all segments at once; what depends on
// positions or on a cache goes segment by segment.

#include <cstddef>
#include <optional>

#include "models/decoder/adapter.h"
#include "models/decoder/decoder.h"
#include "models/decoder/kv_cache.h"

namespace quintet::decoder {

struct Segment {
  size_t rows() const { return end - begin; }
  // The first row whose logits are wanted; `end` if none are.
  size_t first_wanted() const { return what == LogitsOf::all ? begin : what == LogitsOf::last ? end - 1 : end; }
  size_t wanted() const { return end - first_wanted(); }  // number of these rows
  size_t position(size_t row) const { return first_position + row - begin; }
  KvCache& cache() { return given_up ? *given_up : *cache_of_owner; }
  const KvCache& cache() const { return given_up ? *given_up : *cache_of_owner; }

  KvCache* cache_of_owner = nullptr;
  size_t number = 0;  // in the order of the caller
  LogitsOf what = LogitsOf::last;
  size_t first_position = 0;  // the length of the cache
  size_t begin = 0, end = 0;  // rows of the pass
  size_t first_logits = 0;    // row of the logits of first_wanted()
  Adapters adapters = {};
  std::optional<KvCache> given_up = {};  // what the pass writes to, if its owner no longer waits
};

}  // namespace quintet::decoder
