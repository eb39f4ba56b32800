#include "runtime/convert/rope_rows.h"

#include <cstring>

#include "architectures/decoder/row_order.h"

namespace quintet {
namespace {

// The rows of a float32 matrix whose columns are stored one after another.
std::vector<std::byte> transposed(Bytes columns, size_t rows, size_t width) {
  std::vector<std::byte> out(columns.size());
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < width; ++column) {
      std::memcpy(out.data() + (row * width + column) * sizeof(float),
                  columns.data() + (column * rows + row) * sizeof(float), sizeof(float));
    }
  }
  return out;
}

}  // namespace

void restore_rows(std::vector<std::byte>& payload, const TensorInfo& info, uint32_t heads) {
  if (payload.empty()) return;
  if (info.transposed) {
    payload = transposed(payload, static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]));
    return;
  }
  decoder::deinterleave_rows(payload, payload.size() / static_cast<size_t>(info.shape[0]), heads);
}

}  // namespace quintet
