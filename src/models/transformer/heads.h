#pragma once
// The heads of attention in one layer of a transformer.

#include <cmath>
#include <cstddef>

#include "architectures/transformer/config.h"

namespace quintet {

struct Heads {
  Heads(const TransformerConfig& config, size_t of_layer)
      : layer(of_layer),
        count(static_cast<size_t>(config.n_heads)),
        kv_count(static_cast<size_t>(config.kv_heads_of(of_layer))),
        dim(static_cast<size_t>(config.head_dim_of(of_layer))),
        rope_dim(static_cast<size_t>(config.rope_dim_of(of_layer))),
        scale(config.attention_scale == 0 ? 1 / std::sqrt(static_cast<float>(dim))
                                          : static_cast<float>(config.attention_scale)),
        have_gates(config.block.has_attention_gate) {}

  // The number of heads that share a head of keys and values.
  size_t group() const { return count / kv_count; }
  // Values of a token.
  size_t queries() const { return count * dim; }
  size_t keys() const { return kv_count * dim; }
  // Outputs of the query matrix: with gates, a head's query and its gate one after another.
  size_t query_outputs() const { return have_gates ? 2 * queries() : queries(); }
  size_t qkv() const { return query_outputs() + 2 * keys(); }

  size_t layer, count, kv_count, dim;
  size_t rope_dim;  // the rotated part of a head
  float scale;      // of q . k
  bool have_gates;
};

}  // namespace quintet
