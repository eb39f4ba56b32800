#pragma once
// Writes a KV cache as a safetensors file, piece by piece: nothing is in memory twice.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "runtime/kv/cache_content.h"

namespace quintet::kv {

class CacheWriter {
 public:
  // Values are converted to storage.dtype and then, with another layout than plain, to INT4 in groups of storage.group
  // (from group_for()). Rows that a sliding window has freed are zeros: no position sees them. `content.cache` is a
  // fork, so that its session can continue; its checkpoints are written in float32. INPUT if a value is not finite in
  // storage.dtype.
  static Result<CacheWriter> create(CacheContent content, const Storage& storage);

  uint64_t bytes() const { return *description_.file_size; }  // of the whole file
  // Fills `out` with the next bytes of the file; fewer at its end, then none.
  Result<size_t> write(std::span<std::byte> out);

 private:
  // Rows of a tensor on one page.
  struct Run {
    const TensorInfo& info;
    TensorRole role;
    size_t kv_head, position, count;
  };

  CacheWriter(CacheContent content, const Storage& storage);

  Result<size_t> write_some(std::span<std::byte> out);
  std::span<const float> state_of(const TensorRole& role, size_t checkpoint) const;
  Status check_states() const;
  size_t write_state(const TensorInfo& info, const TensorRole& role, std::span<std::byte> out) const;
  Result<size_t> write_rows(const TensorInfo& info, const TensorRole& role, std::span<std::byte> out);
  // Requires room for all of them.
  Status make_rows(const Run& run, std::byte* out);
  Status make_row(const Run& run, const std::byte* source, std::span<std::byte> out);

  CacheContent content_;
  Storage storage_;
  ModelDescription description_;
  std::vector<std::byte> header_;
  uint64_t at_ = 0;    // the next byte of the file
  size_t tensor_ = 0;  // the tensor that it belongs to, unless it is in the header
  // One row: its values, in the type of the file, as INT4, and one that does not fit `out` completely.
  std::vector<float> values_;
  std::vector<std::byte> typed_, packed_row_, cut_;
};

}  // namespace quintet::kv
