#include "runtime/convert/rope_rows.h"

#include "formats/gguf/rope_permutation.h"

namespace quintet {

uint32_t permuted_heads(const SourceModel& source, const TensorInfo& info) {
  if (source.description.format != Format::gguf) return 0;
  return static_cast<uint32_t>(gguf::interleaved_heads(source.description, info));
}

void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads) {
  if (payload.empty()) return;
  gguf::deinterleave_rows(payload, payload.size() / static_cast<size_t>(info.shape[0]), heads);
}

}  // namespace quintet
