#include "architectures/decoder/row_order.h"

#include <cstring>
#include <vector>

namespace quintet::decoder {

void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads) {
  const size_t head_bytes = rows.size() / heads;
  const size_t pairs = head_bytes / row_bytes / 2;
  std::vector<std::byte> interleaved(head_bytes);
  for (size_t head = 0; head < heads; ++head) {
    std::byte* out = rows.data() + head * head_bytes;
    std::memcpy(interleaved.data(), out, head_bytes);
    for (size_t pair = 0; pair < pairs; ++pair) {
      const std::byte* in = interleaved.data() + 2 * pair * row_bytes;
      std::memcpy(out + pair * row_bytes, in, row_bytes);
      std::memcpy(out + (pairs + pair) * row_bytes, in + row_bytes, row_bytes);
    }
  }
}

}  // namespace quintet::decoder
