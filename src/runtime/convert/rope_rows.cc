#include "runtime/convert/rope_rows.h"

#include "architectures/decoder/row_order.h"

namespace quintet {

void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads) {
  if (payload.empty()) return;
  decoder::deinterleave_rows(payload, payload.size() / static_cast<size_t>(info.shape[0]), heads);
}

}  // namespace quintet
