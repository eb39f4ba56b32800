#pragma once
// The options of saveCache and loadCache as JSON.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/kv_cache/cache_file.h"

namespace quintet::kv {

struct SaveOptions {
  Dtype dtype = Dtype::f32;
  Layout layout = Layout::plain;
  std::optional<uint64_t> group = {};
  bool sampler = false;
};

struct LoadOptions {
  std::optional<std::vector<uint32_t>> tokens = {};
  bool sampler = false;
};

// { dtype?, compression?, layout?, groupSize?, sampler? }. INPUT for options that are unknown, invalid, or require
// compression.
Result<SaveOptions> read_save_options(std::string_view json);
// { tokens?, sampler? }
Result<LoadOptions> read_load_options(std::string_view json);

// For heads of `head_dim` values: group_for() if there are groups. Without heads there is nothing to compress.
Result<Storage> storage_for(const SaveOptions& options, uint64_t head_dim);

}  // namespace quintet::kv
