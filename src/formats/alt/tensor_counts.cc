#include "formats/alt/tensor_counts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "formats/alt/tensor_names.h"

namespace quintet::alt {
namespace {

// How many blocks there are, where `blocks`, one number a tensor, are those from 0 on.
std::optional<int32_t> count_blocks(const std::vector<int32_t>& blocks) {
  std::vector<bool> seen(blocks.size());
  for (const int32_t block : blocks) {
    if (static_cast<size_t>(block) >= seen.size()) return std::nullopt;  // more blocks than tensors
    seen[static_cast<size_t>(block)] = true;
  }
  const auto end = std::ranges::find(seen, false);
  if (std::find(end, seen.end(), true) != seen.end()) return std::nullopt;
  return static_cast<int32_t>(end - seen.begin());
}

}  // namespace

TensorCounts read_counts(Bytes bytes) {
  return {.tensors = load_le<int64_t>(bytes, counts_at::kTensors),
          .dimensions = load_le<int64_t>(bytes, counts_at::kDimensions),
          .blocks = load_le<int32_t>(bytes, counts_at::kBlocks),
          .unique = load_le<int32_t>(bytes, counts_at::kUnique)};
}

Result<TensorCounts> count_tensors(std::span<const TensorInfo> tensors) {
  TensorCounts counts{.tensors = static_cast<int64_t>(tensors.size())};
  std::vector<int32_t> blocks;
  for (const TensorInfo& info : tensors) {
    counts.dimensions += static_cast<int64_t>(info.shape.size());
    const int32_t block = place_of(info.name)->block;
    if (block >= 0) blocks.push_back(block);
  }
  counts.unique = static_cast<int32_t>(tensors.size() - blocks.size());
  const auto block_count = count_blocks(blocks);
  if (!block_count) return input_error(Reason::missing, "the tensors' blocks are not those from 0 on without a gap");
  counts.blocks = *block_count;
  return counts;
}

Status check_counts(const TensorCounts& said, const TensorCounts& real, uint64_t fields_at) {
  const auto contradiction = [&](size_t place, std::string_view what, int64_t said_number, int64_t real_number) {
    return format_error(
        Reason::mismatch, fields_at + place,
        std::string(what) + " is " + std::to_string(said_number) + ", there are " + std::to_string(real_number));
  };
  if (said.dimensions != real.dimensions) {
    return contradiction(counts_at::kDimensions, "shape_count", said.dimensions, real.dimensions);
  }
  if (said.blocks != real.blocks) return contradiction(counts_at::kBlocks, "block_count", said.blocks, real.blocks);
  if (said.unique != real.unique) return contradiction(counts_at::kUnique, "unique_count", said.unique, real.unique);
  return {};
}

}  // namespace quintet::alt
