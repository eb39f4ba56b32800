#pragma once
// The tensors of transformers: their roles, their sizes, and a row for each name that files have for one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet::transformer {

// Modules with a weight, and most with a bias: first those of a layer, then those outside of the layers.
enum class TensorKind : uint8_t {
  input_norm,           // before the mixer
  mlp_norm,             // before the MLP
  post_attention_norm,  // after the branch, before it is added
  post_mlp_norm,
  attention_norm,         // after the branch was added: BERT's
  second_attention_norm,  // of the result, with the input of the layer added once more
  output_norm,            // after the MLP was added
  query_norm,
  key_norm,
  query,
  key,
  value,
  qkv,  // queries, keys and values as one matrix
  attention_output,
  gate,
  up,
  gate_up,  // both as one matrix, in this order or in the other
  up_gate,
  down,
  convolution_input,   // the gates B and C, and the values
  convolution_kernel,  // one for each channel
  convolution_output,
  mamba_input,        // the gate, the channels of the convolution (x, B and C), and the time steps
  mamba_convolution,  // a kernel for each channel
  mamba_rates,        // A of each head
  mamba_time_bias,    // of each head
  mamba_skip,         // D of each head
  mamba_norm,
  mamba_output,
  delta_input,        // the channels of the convolution: queries, keys and values
  delta_gate,         // of the output
  delta_strength,     // of the writes of each head: b, whose sigmoid is beta
  delta_time_step,    // of each head
  delta_convolution,  // a kernel for each channel
  delta_rates,        // A of each head
  delta_time_bias,    // of each head
  delta_norm,         // of each head of the output
  delta_output,
  router,       // scores of the experts
  router_bias,  // added to the scores to choose experts, not to weight them
  expert_gate,  // each of an expert, or of all experts as one tensor with three dimensions
  expert_up,
  expert_gate_up,
  expert_down,
  experts_bias,  // of their sum
  shared_gate,   // the expert that all tokens use
  shared_up,
  shared_gate_up,
  shared_down,
  shared_router,   // how much of the shared expert is added
  xielu_positive,  // the parameters of the activation xIELU
  xielu_negative,
  xielu_beta,
  xielu_eps,
  layer_input_gate,  // of the embedding that a layer adds for each token
  layer_input_projection,
  layer_input_norm,  // of what is added
  layer_scale,       // by which the result of the layer is multiplied
  altup_router_norm,
  altup_router,      // how much a token uses of each stream of AltUp
  altup_prediction,  // the weights of all streams in each
  altup_correction,  // the weight in each stream of what the layer changed
  altup_scale,       // of the stream that the embedding for the layer is combined with
  laurel_left,       // of LAuReL: to its rank, and back
  laurel_right,
  laurel_norm,
  embeddings,  // of tokens
  position_embeddings,
  token_type_embeddings,
  embeddings_norm,
  embeddings_projection,  // from the width of embeddings to that of the layers
  layer_embeddings,       // of each token for all layers
  layer_embeddings_projection,
  layer_embeddings_norm,
  altup_projection_1,  // from the embedding to each other stream of AltUp
  altup_projection_2,
  altup_projection_3,
  altup_unembedding_1,  // from these streams to the result
  altup_unembedding_2,
  altup_unembedding_3,
  distance_bias,        // of scores, for each bucket of distances and each head
  relative_embeddings,  // of the buckets of distances
  relative_norm,        // of these embeddings
  final_norm,
  output,
  rope_freq_factors,  // by which the frequencies of RoPE are divided
  rope_long_factors,  // the divisors of longrope for contexts beyond the original length
  rope_short_factors,
  output_projection,  // of the result
  head_dense,         // of rerankers and classifiers
  head_norm,
  classifier,
  mlm_dense,  // of the head for masked tokens
  mlm_norm,
  mlm_output,  // with the matrix of the embeddings
  end
};
constexpr size_t kTensorKinds = static_cast<size_t>(TensorKind::end);
// The first kinds: the norms of a layer, except those inside of its mixer or of what is added to it.
constexpr size_t kNormKinds = static_cast<size_t>(TensorKind::key_norm) + 1;
constexpr bool is_in_layer(TensorKind kind) { return kind < TensorKind::embeddings; }

// The tensors that each expert has.
constexpr size_t kExpertTensors = 4;
constexpr bool is_of_expert(TensorKind kind) {
  return kind >= TensorKind::expert_gate && kind <= TensorKind::expert_down;
}
constexpr size_t expert_index(TensorKind kind) {
  return static_cast<size_t>(kind) - static_cast<size_t>(TensorKind::expert_gate);
}
// Whether it is a separate tensor, not the weight or the bias of a module.
constexpr bool is_parameter(TensorKind kind) {
  return kind == TensorKind::mamba_rates || kind == TensorKind::mamba_time_bias || kind == TensorKind::mamba_skip ||
         kind == TensorKind::delta_rates || kind == TensorKind::delta_time_bias;
}
// Whether it belongs to the head of a reranker or classifier, after the layers.
constexpr bool is_of_head(TensorKind kind) { return kind >= TensorKind::head_dense && kind <= TensorKind::classifier; }
// Whether it belongs to the head for masked tokens.
constexpr bool is_of_mlm_head(TensorKind kind) { return kind >= TensorKind::mlm_dense; }

// A size in the shape of a tensor.
enum class Dim : uint8_t {
  none,
  any,
  one,
  vocab,
  positions,
  hidden,     // the residual stream
  embedding,  // of a token, before the projection to the residual stream
  queries,    // all heads
  keys,       // of keys, and of values
  qkv,
  gated_queries,
  head,
  heads,
  query_norm,  // a head, or all of them
  key_norm,
  ff,  // the hidden part of the MLP
  gate_and_up,
  experts,
  expert_ff,
  expert_gate_and_up,
  shared_ff,
  shared_gate_and_up,
  gated_values,  // two gates and the values of a short convolution
  kernel,
  mamba_in,
  mamba_channels,
  mamba_kernel,
  mamba_heads,
  mamba_inner,
  delta_channels,
  delta_kernel,
  delta_heads,   // of values
  delta_values,  // of all heads
  delta_value,
  rope_pairs,
  layer_input,   // the width of the embedding for a layer
  layer_inputs,  // of those for all layers
  layer_vocab,   // tokens that have them
  streams,       // of AltUp
  stream_pairs,
  laurel_rank,
  all_expert_ff,       // those of all experts
  output,              // the result after its projection
  buckets,             // of distances
  relative_positions,  // buckets of distances to either side
  labels,              // of a reranker or classifier
};

// A name of a tensor. "*." in it stands for the number of an expert; without it, the tensor has all of them.
struct TensorSpec {
  TensorKind kind;
  std::string_view huggingface, gguf;  // in a layer: after its number; empty: none
  Dim rows, cols;                      // cols none: a vector
  uint32_t namings;                    // a bit for each Naming of the architecture that has this name
  bool is_quantized = false;           // when an encoder is (docs/formats/weights.md, "Int8 (extension)")

  bool in_layer() const { return is_in_layer(kind); }
  // Whether a linear layer multiplies with it.
  bool is_matrix() const {
    const bool is_of_streams = rows == Dim::streams || cols == Dim::streams;
    return cols != Dim::none && !is_kernel() && !is_of_streams && rows != Dim::one && rows != Dim::positions &&
           rows != Dim::buckets && rows != Dim::relative_positions;
  }
  bool is_kernel() const { return cols == Dim::kernel || cols == Dim::mamba_kernel || cols == Dim::delta_kernel; }
  template <class Naming>
  bool is_of(Naming naming) const {
    return (namings >> static_cast<unsigned>(naming) & 1) != 0;
  }
};

// The role of a tensor in the model, found by its name.
struct TensorRef {
  const TensorSpec* spec = nullptr;
  uint32_t layer = 0;  // of a tensor of a layer
  bool is_bias = false;
  std::optional<uint32_t> expert = {};  // nullopt: all of them, if it is a tensor of experts

  TensorKind kind() const { return spec->kind; }
  bool in_layer() const { return spec->in_layer(); }
  bool is_matrix() const { return !is_bias && spec->is_matrix(); }
  bool is_quantized() const { return !is_bias && spec->is_quantized; }
  bool in_mixture() const { return kind() >= TensorKind::router && kind() <= TensorKind::shared_router; }
  bool has_all_experts() const { return is_of_expert(kind()) && !expert; }
  bool is_layer_input() const {
    return (kind() >= TensorKind::layer_input_gate && kind() <= TensorKind::layer_input_norm) ||
           (kind() >= TensorKind::layer_embeddings && kind() <= TensorKind::layer_embeddings_norm);
  }
  bool is_of_own_kv() const {
    return kind() == TensorKind::key || kind() == TensorKind::value || kind() == TensorKind::key_norm;
  }
};

inline constexpr std::string_view kWeightSuffix = ".weight", kBiasSuffix = ".bias";
inline constexpr std::string_view kGgufLayers = "blk.";

// Removes "N." from the front; false unless it starts with a number below 2^32. Nothing else may be a name of the layer
// or the expert: "07" would be a second one of 7.
bool take_number(std::string_view& name, uint32_t& number);
bool take_suffix(std::string_view& name, std::string_view suffix);

}  // namespace quintet::transformer
