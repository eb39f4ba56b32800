#include "formats/alt/tensor_names.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kBlockPrefix = "model.layers.";

constexpr TensorKind kKinds[] = {
    {0, 3, 0, 1, "input_layernorm.weight"},  {0, 1, 1, 2, "self_attn.q_proj.weight"},
    {0, 1, 2, 2, "self_attn.k_proj.weight"}, {0, 1, 3, 2, "self_attn.v_proj.weight"},
    {0, 1, 4, 2, "self_attn.o_proj.weight"}, {0, 4, 0, 1, "post_attention_layernorm.weight"},
    {0, 2, 5, 2, "mlp.gate_proj.weight"},    {0, 2, 6, 2, "mlp.up_proj.weight"},
    {0, 2, 7, 2, "mlp.down_proj.weight"},    {1, 0, 0, 2, "model.embed_tokens.weight"},
    {2, 0, 0, 2, "lm_head.weight"},          {3, 0, 0, 1, "model.norm.weight"},
};

// Takes a decimal number below 2^31 without leading zeros, and the dot behind it, from the front of `text`.
std::optional<int32_t> take_block(std::string_view& text) {
  int64_t value = 0;
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (text[digits++] - '0');
    if (value > INT32_MAX) return std::nullopt;
  }
  if (digits == 0 || (text[0] == '0' && digits > 1) || !text.substr(digits).starts_with('.')) return std::nullopt;
  text.remove_prefix(digits + 1);
  return static_cast<int32_t>(value);
}

}  // namespace

const TensorKind* find_kind(int32_t component, int32_t layer, int32_t projection) {
  for (const TensorKind& kind : kKinds) {
    if (kind.component == component && kind.layer == layer && kind.projection == projection) return &kind;
  }
  return nullptr;
}

std::optional<TensorPlace> place_of(std::string_view name) {
  std::optional<int32_t> block;
  if (name.starts_with(kBlockPrefix)) {
    name.remove_prefix(kBlockPrefix.size());
    block = take_block(name);
    if (!block) return std::nullopt;
  }
  for (const TensorKind& kind : kKinds) {
    if (kind.name == name && kind.in_block() == block.has_value()) {
      return TensorPlace{&kind, block.value_or(-kind.component)};
    }
  }
  return std::nullopt;
}

}  // namespace quintet::alt
