#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <variant>

#include "architectures/transformer/layer_sets.h"
#include "architectures/transformer/traits.h"

namespace quintet::transformer {
namespace {

Status read_qk_norm(const ConfigFields& fields, std::string_view key, QkNorm& norm) {
  std::string name(kQkNorms[static_cast<size_t>(norm)]);
  QUINTET_CHECK(fields.text(key, name));
  const auto* known = std::ranges::find(kQkNorms, name);
  if (known == std::end(kQkNorms)) return fields.unsupported(key, "supported are none, per_head and per_row");
  norm = static_cast<QkNorm>(known - std::begin(kQkNorms));
  return {};
}

template <class Value>
Status read_value(const ConfigFields& fields, const Trait& trait, std::string_view key, Value value,
                  TransformerConfig& config) {
  using Type = std::remove_reference_t<decltype(config.*value)>;
  if constexpr (std::is_same_v<Type, uint64_t>) {
    return fields.natural(key, static_cast<uint64_t>(trait.min), static_cast<uint64_t>(trait.max), config.*value);
  } else if constexpr (std::is_same_v<Type, double>) {
    return fields.positive(key, trait.max, config.*value);
  } else if constexpr (std::is_same_v<Type, bool>) {
    return fields.flag(key, config.*value);
  } else if constexpr (std::is_same_v<Type, std::optional<bool>>) {
    return fields.find(key) ? fields.flag(key, (config.*value).emplace()) : Status();
  } else if constexpr (std::is_same_v<Type, Activation>) {
    return fields.activation(key, config.*value);
  } else if constexpr (std::is_same_v<Type, QkNorm>) {
    return read_qk_norm(fields, key, config.*value);
  } else {
    return read_layer_numbers(fields, key, config.n_layers, config.*value);
  }
}

}  // namespace

Status read_traits(const ConfigFields& fields, const TraitKeys& keys, TransformerConfig& config) {
  const std::span<const Trait> rows = keys.rows();
  for (size_t row = 0; row < rows.size(); ++row) {
    const std::string_view key = keys.at(row);
    if (key.empty()) continue;
    if (keys.is_required(row) && !fields.find(key)) return fields.wrong(Reason::missing, key, "is missing");
    QUINTET_CHECK(
        std::visit([&](auto value) { return read_value(fields, rows[row], key, value, config); }, rows[row].member));
  }
  return {};
}

}  // namespace quintet::transformer
