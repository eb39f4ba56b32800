#pragma once
// The metadata that every .weights file must have, in the order in which a writer puts it.

#include <array>
#include <string_view>

namespace quintet::weights {

constexpr std::array<std::string_view, 10> kRequiredKeys = {
    "model_name",          "model_version", "embedding_dim",     "vocab_size",       "num_layers",
    "num_attention_heads", "hidden_size",   "intermediate_size", "max_position_emb", "created_at"};

}  // namespace quintet::weights
