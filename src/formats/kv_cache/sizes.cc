// The sizes of a cache file that follow from its description.

#include "formats/kv_cache/cache_file.h"

namespace quintet::kv {

uint64_t CacheFile::layers_with_rows() const {
  uint64_t count = 0;
  for (uint64_t layer = 0; layer < shape.layers; ++layer) count += has_rows(layer);
  return count;
}

uint64_t data_bytes(const CacheFile& file) {
  uint64_t values = 0;
  for (uint64_t layer = 0; layer < file.shape.layers; ++layer) {
    const Heads heads = file.heads_of(layer);
    if (file.has_rows(layer)) values += 2 * heads.count * heads.dim * file.shape.positions;
  }
  if (file.storage.layout != Layout::packed) return values * bits_of(file.storage.dtype) / 8;
  return values / 2 + values / file.storage.group * bits_of(Dtype::f16) / 8;
}

Result<uint64_t> group_for(uint64_t head_dim, std::optional<uint64_t> wanted) {
  if (head_dim % 2 != 0)
    return unsupported_error("INT4 for heads of {} values is not supported, only even numbers", head_dim);
  for (const uint64_t group : {uint64_t{64}, uint64_t{32}, uint64_t{128}}) {
    if (wanted && *wanted != group) continue;
    if (head_dim <= group) return head_dim;
    if (head_dim % group == 0) return group;
  }
  return input_error(Reason::out_of_range, "the group size must be 32, 64 or 128 and divide {}", head_dim);
}

}  // namespace quintet::kv
