#pragma once
// The tensors that an ALT file can hold: every one has a name and the numbers that say the same (docs/formats/alt.md).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet::alt {

struct TensorKind {
  int32_t component, layer, projection;
  uint32_t rank;
  std::string_view name;  // the whole name, or what follows "model.layers.<block>."

  bool in_block() const { return component == 0; }
};

constexpr uint64_t kMaxNameBytes = 55;    // post_attention_layernorm in a block whose index has ten digits
constexpr uint64_t kLeastNameBytes = 14;  // lm_head.weight

struct TensorPlace {
  const TensorKind* kind;
  int32_t block;  // below 0 outside of blocks: -1 for embed_tokens, -2 for lm_head, -3 for norm
};

// Null where no tensor has these numbers.
const TensorKind* find_kind(int32_t component, int32_t layer, int32_t projection);
// Nothing where the format cannot say that name.
std::optional<TensorPlace> place_of(std::string_view name);

}  // namespace quintet::alt
