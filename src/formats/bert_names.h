#pragma once
// The names of a BERT encoder's tensors, as far as sizes and roles are read from them.

#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

constexpr std::string_view kWordEmbeddings = "embeddings.word_embeddings.weight";
constexpr std::string_view kPositionEmbeddings = "embeddings.position_embeddings.weight";
constexpr std::string_view kTokenTypeEmbeddings = "embeddings.token_type_embeddings.weight";
constexpr std::string_view kFirstIntermediate = "encoder.layer.0.intermediate.dense.weight";
constexpr std::string_view kLayerPrefix = "encoder.layer.";

// The layer that a tensor belongs to, from "encoder.layer.N.…".
std::optional<uint32_t> layer_of(std::string_view name);

}  // namespace quintet
