#include "architectures/transformer/tensor_order.h"

#include <cstring>
#include <string>

#include "tensor/block_types.h"

namespace quintet::transformer {
namespace {

// [in][out] becomes [out][in].
void transpose(std::vector<std::byte>& payload, size_t in, size_t out) {
  const size_t value_bytes = payload.size() / in / out;
  std::vector<std::byte> rows(payload.size());
  for (size_t row = 0; row < out; ++row) {
    for (size_t column = 0; column < in; ++column) {
      std::memcpy(rows.data() + (row * in + column) * value_bytes, payload.data() + (column * out + row) * value_bytes,
                  value_bytes);
    }
  }
  payload = std::move(rows);
}

// Queries, the keys and the values of one group after another become all queries, all keys, all values.
void ungroup(std::vector<std::byte>& payload, size_t head_bytes, size_t groups) {
  const size_t heads = payload.size() / head_bytes / groups - 2;  // of queries in a group
  std::vector<std::byte> rows(payload.size());
  const std::byte* in = payload.data();
  const auto take = [&](size_t head, size_t count) {
    std::memcpy(rows.data() + head * head_bytes, in, count * head_bytes);
    in += count * head_bytes;
  };
  for (size_t group = 0; group < groups; ++group) {
    take(group * heads, heads);
    take(groups * heads + group, 1);
    take(groups * (heads + 1) + group, 1);
  }
  payload = std::move(rows);
}

Failure without_rows(const TensorInfo& info) {
  return tensor_error(Code::format, Reason::mismatch, info, "shape {} does not have the rows of the heads",
                      shape_text(info.shape));
}

}  // namespace

void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads, size_t rotated_rows) {
  const size_t head_bytes = rows.size() / heads;
  const size_t pairs = rotated_rows / 2;
  std::vector<std::byte> interleaved(2 * pairs * row_bytes);
  for (size_t head = 0; head < heads; ++head) {
    std::byte* out = rows.data() + head * head_bytes;
    std::memcpy(interleaved.data(), out, interleaved.size());
    for (size_t pair = 0; pair < pairs; ++pair) {
      const std::byte* in = interleaved.data() + 2 * pair * row_bytes;
      std::memcpy(out + pair * row_bytes, in, row_bytes);
      std::memcpy(out + (pairs + pair) * row_bytes, in + row_bytes, row_bytes);
    }
  }
}

Status check_order(const TensorInfo& info, const TensorOrder& order) {
  if (order.is_ours()) return {};
  const bool is_whole = !info.quantized() || codec_of(info.quantization.scheme) == Codec::gguf;
  if (!is_whole || (order.is_transposed && info.quantized())) {
    return tensor_error(Code::unsupported, Reason::unsupported, info,
                        "quantized rows cannot be put into another order in this type");
  }
  uint64_t rows = info.shape.empty() ? 0 : info.shape[0];
  if (order.is_transposed) {
    const uint64_t values = info.shape.size() == 2 ? info.elements() : 0;
    if (values == 0 || info.bytes % values != 0) return without_rows(info);
    rows = info.shape[1];
  }
  if (rows == 0 || info.bytes % rows != 0) return without_rows(info);
  const bool has_heads = order.head_rows != 0 && rows % order.head_rows == 0;
  if (order.interleaved_heads != 0) {
    if (!has_heads || order.rotated_rows > order.head_rows) return without_rows(info);
    if (order.interleaved_heads > rows / order.head_rows) return without_rows(info);
  }
  if (order.groups != 0) {
    const uint64_t heads = has_heads ? rows / order.head_rows : 0;
    if (heads % order.groups != 0 || heads / order.groups < 3) return without_rows(info);
  }
  return {};
}

void restore_order(std::vector<std::byte>& payload, const TensorInfo& info, const TensorOrder& order) {
  if (payload.empty() || order.is_ours()) return;
  size_t rows = static_cast<size_t>(info.shape[0]);
  if (order.is_transposed) {
    transpose(payload, rows, static_cast<size_t>(info.shape[1]));
    rows = static_cast<size_t>(info.shape[1]);
  }
  const size_t row_bytes = payload.size() / rows;
  const size_t head_bytes = static_cast<size_t>(order.head_rows) * row_bytes;
  if (order.groups != 0) ungroup(payload, head_bytes, static_cast<size_t>(order.groups));
  if (order.interleaved_heads == 0) return;
  const auto heads = static_cast<size_t>(order.interleaved_heads);
  deinterleave_rows(std::span(payload).first(heads * head_bytes), row_bytes, heads,
                    static_cast<size_t>(order.rotated_rows));
}

}  // namespace quintet::transformer
