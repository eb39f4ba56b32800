#include "formats/gguf/rope_permutation.h"

#include <cstring>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace quintet::gguf {
namespace {

bool is_of(std::string_view name, std::string_view projection) {
  constexpr std::string_view kLayers = "model.layers.";
  const size_t dot = name.rfind('.');
  return name.starts_with(kLayers) && dot != std::string_view::npos && name.substr(0, dot).ends_with(projection);
}

uint64_t number_of(const Json& config, std::string_view key) {
  const Json* value = config.find(key);
  return value ? value->as_uint().value_or(0) : 0;
}

}  // namespace

uint64_t interleaved_heads(const ModelDescription& description, const TensorInfo& info) {
  if (description.architecture != "llama") return 0;
  if (is_of(info.name, ".self_attn.q_proj")) return number_of(description.config, "n_heads");
  if (is_of(info.name, ".self_attn.k_proj")) return number_of(description.config, "n_kv_heads");
  return 0;
}

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

}  // namespace quintet::gguf
