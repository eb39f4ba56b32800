#pragma once
// The four numbers at the head of the tensor section, which say again what the records say.

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::alt {

struct TensorCounts {
  int64_t tensors = 0;
  int64_t dimensions = 0;  // of all shapes together
  int32_t blocks = 0;
  int32_t unique = 0;  // tensors outside of blocks

  bool operator==(const TensorCounts&) const = default;
};

// Their places behind the section's header.
namespace counts_at {
constexpr size_t kTensors = 0, kDimensions = 8, kBlocks = 16, kUnique = 20, kBytes = 24;
}

TensorCounts read_counts(Bytes bytes);

// The numbers of the tensors that are there, whose names the format can say. The blocks must be those from 0 on,
// without a gap.
Result<TensorCounts> count_tensors(std::span<const TensorInfo> tensors);

// The error, at its place, where the section that has its fields at `fields_at` says other numbers than there are.
Status check_counts(const TensorCounts& said, const TensorCounts& real, uint64_t fields_at);

}  // namespace quintet::alt
