#include "formats/bert_names.h"

namespace quintet {

std::optional<uint32_t> layer_of(std::string_view name) {
  if (!name.starts_with(kLayerPrefix)) return std::nullopt;
  name.remove_prefix(kLayerPrefix.size());
  constexpr size_t kMostDigits = 6;
  const size_t dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos || dot > kMostDigits) return std::nullopt;
  uint32_t layer = 0;
  for (const char digit : name.substr(0, dot)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    layer = layer * 10 + static_cast<uint32_t>(digit - '0');
  }
  return layer;
}

}  // namespace quintet
