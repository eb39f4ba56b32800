#pragma once
// A range of one of the source's files.

#include <cstdint>
#include <vector>

#include "runtime/convert/source_model.h"

namespace quintet {

struct Range {
  uint32_t file = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// The ranges that together are a tensor's payload; none where it is empty.
inline std::vector<Range> payload_ranges(const TensorInfo& info, uint32_t file) {
  std::vector<Range> ranges;
  if (info.scales_bytes != 0) ranges.push_back({file, info.scales_offset, info.scales_bytes});
  if (info.bytes != 0) ranges.push_back({file, info.offset, info.bytes});
  return ranges;
}

}  // namespace quintet
