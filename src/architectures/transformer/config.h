#pragma once
// The configuration of a transformer (Vaswani et al. 2017, arXiv:1706.03762): what decoders and encoders have in
// common, and what only some of them have. The defaults are Llama's.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "architectures/transformer/rope_scaling.h"
#include "base/flag_list.h"
#include "tensor/activation.h"

namespace quintet {

// RMSNorm of queries and keys, after their projection and before the rotation: of each head, or of the whole row.
enum class QkNorm : uint8_t { none, per_head, per_row };

// Layers by index. Those beyond the end are not in it.
using LayerSet = FlagList;
inline bool contains(const LayerSet& layers, size_t layer) { return layer < layers.size() && layers[layer]; }

// The token mixer of a layer.
enum class Mixer : uint8_t { none, attention, convolution, delta_net, mamba, attention_and_mamba };
constexpr bool has_attention(Mixer mixer) { return mixer == Mixer::attention || mixer == Mixer::attention_and_mamba; }

// The computation of a layer for each token separately: down(activation(up x)), down(activation(gate x) * up x), or the
// sum of some of these (BlockForm::is_gated).
enum class Mlp : uint8_t { none, plain, gated, experts };

// The places of a block's norms: x += branch(norm(x)), x += norm(branch(x)), x += norm(branch(norm(x))), or x = norm(x
// + branch(x)).
enum class NormPlacement : uint8_t { before, after, around, post };

// The structure of a block. The family decides it; it is not in any file.
struct BlockForm {
  NormPlacement norms = NormPlacement::before;
  bool is_gated = true;                     // the MLP is Mlp::gated, else Mlp::plain
  bool is_parallel = false;                 // attention and MLP read the same norm(x), and both are added to x
  bool has_layer_norm = false;              // else RMSNorm
  bool has_gated_shared_expert = false;     // what the shared expert adds is weighted by a sigmoid
  bool routes_before_norm = false;          // experts are chosen by x, not by a norm of it
  bool rotates_before_norm = false;         // queries and keys are rotated before they are normalized
  bool has_one_branch = false;              // a layer is a mixer or an MLP, not both
  bool has_attention_beside_mamba = false;  // both read the same norm(x) and are added
  bool has_mlp_beside_experts = false;      // the MLP of a layer with experts is the shared one
  bool has_attention_gate = false;          // the query matrix also has gates, of what the heads return
  bool has_value_norm = false;              // RMSNorm without weights of the values of each head
  bool has_altup = false;                   // several streams (models/decoder/altup.h), and LAuReL next to attention

  bool operator==(const BlockForm&) const = default;
};

// The streams of a token in models with AltUp (BlockForm::has_altup).
inline constexpr size_t kAltUpStreams = 4;

// Traits that are one number, name or flag: traits.h has a row for each that files can contain.
struct TransformerTraits {
  uint64_t n_vocab = 0, n_embd = 0, n_layers = 0, n_heads = 0, n_kv_heads = 0;
  uint64_t head_dim = 0;
  uint64_t n_ff = 0;  // 0: unknown, taken from the shapes of the tensors
  uint64_t max_seq_len = 2048;
  bool is_rope = true;
  bool has_position_embeddings = false;  // a learned vector for each position is added to the embedding
  bool has_parallel_residual = false;    // attention and MLP have their own norms, and both are added to x
  bool has_xielu = false;                // in place of the activation, in an MLP that is not gated
  Activation activation = Activation::silu;
  double rope_freq_base = 10000, rope_scaling = 1;  // positions are divided by rope_scaling
  uint64_t rope_dim = 0;                            // rotated part of a head
  double local_rope_freq_base = 0;  // RoPE base of layers with a window, never scaled; 0: rope_freq_base
  uint64_t sliding_window = 0;      // 0: none
  // Sizes of layers with a window; 0: as in the others.
  uint64_t local_head_dim = 0, local_kv_heads = 0, local_rope_dim = 0;
  uint64_t rope_rotated_pairs = 0;  // the first ones of a head, in layers without a window; 0: all
  bool has_keys_as_values = false;  // values are the keys before their norm, in layers without a window
  // The last layers compute no keys and values: each attends over those of the last layer before them that
  // has a window as it has, or none.
  uint64_t n_shared_kv_layers = 0;
  uint64_t shared_kv_ff = 0;        // their n_ff; 0: that of the others
  uint64_t layer_input_width = 0;   // of the embedding that each layer adds for each token; 0: there are none
  uint64_t layer_input_vocab = 0;   // tokens with one, others have that of token 0; 0: n_vocab
  uint64_t convolution_length = 0;  // of the kernel of short convolutions, in positions; 0: no such layers
  double norm_eps = 1e-5;
  std::optional<bool> tie_embeddings = {};  // nullopt: tied if no output matrix is stored
  QkNorm qk_norm = QkNorm::none;
  double embedding_scale = 1;
  double residual_scale = 1;     // of attention and MLP, before they are added
  double attention_scale = 0;    // of q . k; 0: 1 / sqrt(head_dim)
  double logit_scale = 1;        // logits are divided by it
  double attention_softcap = 0;  // x becomes softcap * tanh(x / softcap); 0: none
  double logit_softcap = 0;
  // Queries are multiplied by 1 + temperature * ln(1 + floor(position / length)); 0: they are not.
  double attention_temperature = 0;
  uint64_t attention_temperature_length = 0;
  bool has_norm_offset = false;  // norms multiply by 1 + weight
  // Mixtures of experts, after the first n_dense_layers. A token uses the experts that the router prefers.
  uint64_t n_experts = 0, n_experts_used = 0;  // of each layer, and for each token; 0: there are none
  uint64_t expert_ff = 0, shared_ff = 0;       // widths of an expert, and of the one that all tokens use
  uint64_t n_dense_layers = 0;
  uint64_t expert_interval = 0;  // layers with another remainder than 1 by it have no experts; 0: it does not count
  double router_scale = 1;       // of the weights of the chosen experts
  bool has_normalized_router = false;  // these weights are divided by their sum
  bool has_sigmoid_router = false;     // scores are sigmoids, else a softmax over all experts
  // Mamba-2: heads, groups of heads that share B and C, channels of all heads, the state of a channel, and the length
  // of the causal convolution in positions. 0: no such layers.
  uint64_t mamba_heads = 0, mamba_groups = 0, mamba_inner = 0, mamba_state = 0, mamba_kernel = 0;
  bool has_log_mamba_rates = false;  // log(-A) is stored in place of A
  // Factors of the five parts of Mamba-2's input: the gate, x, B, C and the time steps.
  double mamba_gate_scale = 1, mamba_x_scale = 1, mamba_b_scale = 1, mamba_c_scale = 1, mamba_time_scale = 1;
  double attention_output_scale = 1, mamba_output_scale = 1, mlp_output_scale = 1;  // before residual_scale
  double mlp_gate_scale = 1;                                                        // of the input of the activation
  uint64_t laurel_rank = 0;      // of LAuReL's matrices, which models with AltUp have
  uint64_t n_sparse_layers = 0;  // the first ones, in whose MLP only the largest gates count
  double sparse_cutoff = 0;      // by how many standard deviations these must exceed the mean
  // Gated DeltaNet: heads of keys, of which some heads of values share each, their sizes, and the length of the causal
  // convolution in positions. 0: no such layers.
  uint64_t delta_key_heads = 0, delta_value_heads = 0, delta_key_dim = 0, delta_value_dim = 0, delta_kernel = 0;
  bool has_log_delta_rates = false;    // log(-A) is stored in place of A
  bool has_tiled_delta_heads = false;  // value head h shares key head h mod key heads, else neighbors share one
  BlockForm block = {};

  // Encoders attend in both directions, and have more ways to encode positions.
  bool is_causal = true;         // a token sees none after it
  bool has_token_types = false;  // an embedding of the type of each token is added to that of the word
  uint64_t embedding_width = 0;  // of embeddings that a linear layer projects; 0: n_embd
  uint64_t position_offset = 0;  // the row of the first token in the position embeddings
  // The bias of scores for the distance of a query and a key: a linear penalty, different for each head (ALiBi,
  // Press et al. 2021, arXiv:2108.12409), or a learned bias of each head for each range of distances (T5, Raffel et al.
  // 2019, arXiv:1910.10683).
  bool has_alibi = false;
  uint64_t distance_buckets = 0;  // 0: none
  // Disentangled attention (He et al. 2020, arXiv:2006.03654): queries and keys are also multiplied with the embeddings
  // of their distance, which are this many to each side, for distances below `relative_distances`. 0: none.
  uint64_t relative_buckets = 0, relative_distances = 0;

  bool operator==(const TransformerTraits&) const = default;
};

struct TransformerConfig : TransformerTraits {
  LayerSet full_attention_layers = {};  // without the window
  LayerSet no_rope_layers = {};
  LayerSet convolution_layers = {};  // with a short convolution in place of attention
  LayerSet mamba_layers = {};        // with Mamba-2, in place of attention or next to it
  LayerSet mlp_layers = {};          // without a mixer
  LayerSet delta_layers = {};        // with a gated DeltaNet in place of attention
  std::optional<Llama3Rope> llama3_rope = {};
  std::optional<YarnRope> yarn_rope = {};

  // The positions that one position sees in a layer, itself included; 0: all. Those of encoders are on both sides.
  uint64_t window_of(size_t layer) const { return contains(full_attention_layers, layer) ? 0 : sliding_window; }
  bool has_convolutions() const { return convolution_length != 0; }
  bool has_local_sizes() const { return local_head_dim != 0 || local_kv_heads != 0; }
  bool has_local_rope() const { return local_rope_freq_base != 0 || local_rope_dim != 0; }
  bool has_local_rope(size_t layer) const { return has_local_rope() && window_of(layer) != 0; }
  uint64_t head_dim_of(size_t layer) const { return either(layer, local_head_dim, head_dim); }
  uint64_t kv_heads_of(size_t layer) const { return either(layer, local_kv_heads, n_kv_heads); }
  uint64_t rope_dim_of(size_t layer) const { return either(layer, local_rope_dim, rope_dim); }
  bool has_own_kv(uint64_t layer) const { return layer < n_layers - n_shared_kv_layers; }
  uint64_t n_ff_of(uint64_t layer) const { return has_own_kv(layer) || shared_kv_ff == 0 ? n_ff : shared_kv_ff; }
  bool has_values(size_t layer) const { return !has_keys_as_values || window_of(layer) != 0; }
  bool has_mamba() const { return mamba_heads != 0; }
  bool has_delta_net() const { return delta_value_heads != 0; }
  // Layers with a state: short convolutions, Mamba-2 or gated DeltaNets. A model has only one of these kinds.
  const LayerSet& recurrent_layers() const {
    return has_mamba() ? mamba_layers : has_delta_net() ? delta_layers : convolution_layers;
  }
  Mixer mixer_of(size_t layer) const {
    if (contains(mlp_layers, layer)) return Mixer::none;
    if (contains(convolution_layers, layer)) return Mixer::convolution;
    if (contains(delta_layers, layer)) return Mixer::delta_net;
    if (!contains(mamba_layers, layer)) return Mixer::attention;
    return block.has_attention_beside_mamba ? Mixer::attention_and_mamba : Mixer::mamba;
  }
  bool has_attention(size_t layer) const { return quintet::has_attention(mixer_of(layer)); }
  Mlp mlp_of(size_t layer) const {
    if (block.has_one_branch && mixer_of(layer) != Mixer::none) return Mlp::none;
    if (has_experts(layer)) return Mlp::experts;
    return block.is_gated ? Mlp::gated : Mlp::plain;
  }
  bool has_experts(uint64_t layer) const {
    const bool is_turn = expert_interval == 0 || layer % expert_interval == 1;
    return n_experts != 0 && layer >= n_dense_layers && is_turn;
  }

  bool operator==(const TransformerConfig&) const = default;

 private:
  uint64_t either(size_t layer, uint64_t local, uint64_t other) const {
    return local != 0 && window_of(layer) != 0 ? local : other;
  }
};

}  // namespace quintet
