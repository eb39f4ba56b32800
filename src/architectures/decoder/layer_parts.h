#pragma once
// The tensors of a decoder: one table of its parts, with the name of each in every dialect and its shape.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/families.h"
#include "formats/model_description.h"

namespace quintet::decoder {

// Modules with a weight, and most with a bias: first those of a layer, then those outside of the layers.
enum class Part : uint8_t {
  input_norm,
  mlp_norm,
  post_attention_norm,  // after the branch, before it is added
  post_mlp_norm,
  query_norm,
  key_norm,
  query,
  key,
  value,
  qkv,  // queries, keys and values as one matrix
  attention_output,
  gate,
  up,
  gate_up,  // both as one matrix
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
  shared_gate,  // the expert that all tokens take
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
  embeddings,
  position_embeddings,
  layer_embeddings,  // of each token for all layers
  layer_embeddings_projection,
  layer_embeddings_norm,
  final_norm,
  output,
  rope_freq_factors,  // by which the frequencies of RoPE are divided
  rope_long_factors,  // the divisors of longrope for contexts beyond the original length
  rope_short_factors,
};
constexpr size_t kLayerParts = static_cast<size_t>(Part::embeddings);
// The parts that each expert has.
constexpr size_t kExpertParts = 4;
constexpr bool is_of_expert(Part part) { return part >= Part::expert_gate && part <= Part::expert_down; }
constexpr size_t expert_index(Part part) { return static_cast<size_t>(part) - static_cast<size_t>(Part::expert_gate); }
// Whether the part is a tensor of its own, not the weight or the bias of a module.
constexpr bool is_parameter(Part part) {
  return part == Part::mamba_rates || part == Part::mamba_time_bias || part == Part::mamba_skip ||
         part == Part::delta_rates || part == Part::delta_time_bias;
}
constexpr size_t kParts = static_cast<size_t>(Part::rope_short_factors) + 1;

// A size in the shape of a tensor.
enum class Extent : uint8_t {
  none,
  vocab,
  embd,
  queries,
  keys,
  qkv,
  query_norm,  // a head, or all of them
  key_norm,
  ff,
  gate_and_up,
  experts,
  expert_ff,
  expert_gate_and_up,
  shared_ff,
  shared_gate_and_up,
  one,
  positions,
  gated_values,  // two gates and the values of a short convolution
  kernel,
  mamba_in,
  mamba_channels,
  mamba_kernel,
  mamba_heads,
  mamba_inner,
  gated_queries,
  delta_channels,
  delta_kernel,
  delta_heads,   // of values
  delta_values,  // of all heads
  delta_value,
  rope_pairs,
  layer_input,  // the width of the embedding for a layer
  layer_inputs  // of those for all layers
};
uint64_t size_of(Extent extent, const DecoderConfig& config, uint64_t layer);

// The traits that determine a size, for messages; null after the last.
using SizeKey = uint64_t DecoderTraits::*;
std::span<const SizeKey> keys_of(Extent extent);

// In names, "*." stands for the number of an expert; without it, the tensor has all of them.
struct PartRow {
  Part part;
  std::string_view huggingface, gguf;  // within a layer: after "model.layers.N." and "blk.N."
  Extent rows, cols;                   // cols none: a vector
  uint32_t namings;                    // a bit for each Naming that has this name of the part

  // Whether a linear layer multiplies with it.
  bool is_matrix() const {
    return cols != Extent::none && !is_kernel() && rows != Extent::one && rows != Extent::positions;
  }
  bool is_kernel() const {
    return cols == Extent::kernel || cols == Extent::mamba_kernel || cols == Extent::delta_kernel;
  }
  bool is_of(Naming naming) const { return (namings >> static_cast<unsigned>(naming) & 1) != 0; }
};

// The role of a tensor in the decoder.
struct Role {
  const PartRow* row = nullptr;
  uint32_t layer = 0;  // of a part of a layer
  bool is_bias = false;
  std::optional<uint32_t> expert = {};  // nullopt: all of them, if it is a part of experts

  Part part() const { return row->part; }
  bool in_mixture() const { return row->part >= Part::router && row->part <= Part::shared_router; }
  bool has_all_experts() const { return is_of_expert(part()) && !expert; }
  bool is_layer_input() const {
    return (part() >= Part::layer_input_gate && part() <= Part::layer_input_norm) ||
           (part() >= Part::layer_embeddings && part() <= Part::layer_embeddings_norm);
  }
  bool is_of_own_kv() const { return part() == Part::key || part() == Part::value || part() == Part::key_norm; }
  bool in_layer() const { return static_cast<size_t>(row->part) < kLayerParts; }
  std::vector<uint64_t> shape(const DecoderConfig& config) const;
};

// How the rows of a tensor are ordered in its file, where that is not as here.
struct TensorOrder {
  // The first heads, whose rotated rows are interleaved (restore_order()), and the sizes of each.
  uint64_t interleaved_heads = 0, head_rows = 0, rotated_rows = 0;
  // Queries, keys and values as one matrix: each head of keys follows the queries that attend to it, and its values
  // come after it. 0: all queries, all keys, all values.
  uint64_t groups = 0;
  bool is_transposed = false;  // columns in place of rows

  bool is_ours() const { return interleaved_heads == 0 && groups == 0 && !is_transposed; }
};

// The tensor names of a file.
class TensorNames {
 public:
  // From the format and the architecture.
  explicit TensorNames(const ModelDescription& description);

  // Nothing for tensors that the decoder does not use.
  std::optional<Role> role_of(std::string_view name) const;
  // Hugging Face's name of the tensor, under which it is shown and converted. Unknown names stay.
  std::string huggingface_name(std::string_view name) const;
  // The name for a role. One expert of a tensor of all has the name that it has as a tensor of its own.
  std::string huggingface_name(const Role& role) const;
  // The file's name for a tensor, for messages about missing tensors.
  std::string name_of(const Role& role) const;

  const Family* family() const { return family_; }
  Format format() const { return format_; }
  TensorOrder order_of(const Role& role, const DecoderConfig& config) const;

 private:
  // Whether the family, as far as it is known, may call the part so.
  bool may_be(const PartRow& row) const;
  // Under the name of layer_parts.h, for a tensor of a folder.
  std::string name_of_folder(std::string_view name) const;

  Format format_;
  bool is_gguf_ = false;
  const Family* family_ = nullptr;  // null: unknown; then no tensor of a GGUF file has a role
};

// FORMAT for a tensor of an expert beyond the last.
Failure unknown_expert(const TensorInfo& info, uint64_t experts);

// Whether a decoder of any family has a matrix with this name of Hugging Face's.
bool is_huggingface_matrix(std::string_view name);

std::span<const PartRow> part_rows();
// The first row of the part in a naming; null if it has no such part.
const PartRow* row_of(Part part, Naming naming);

// The order of rows in the query and key matrices of GGUF files: rotary embedding turns pairs of values. Hugging Face
// pairs the halves of a head, value i with value i + d/2, and so do AMB and ALT. ggml pairs neighbours in some families
// (Family::has_permuted_qk); for these llama.cpp's converter has interleaved the rows of the halves: row 2i + h of a
// head is row i + h * d/2 of Hugging Face's. Where a part of each head is rotated, d is the size of that part.
//
// Puts the rotated rows of heads back into Hugging Face's order. Requires rows.size() to be a multiple of
// heads * row_bytes. A bias has rows of one value.
void deinterleave_rows(std::span<std::byte> rows, size_t row_bytes, size_t heads, size_t rotated_rows);

// FORMAT if the tensor does not have the rows of its order, UNSUPPORTED if they cannot be told apart in its bytes.
Status check_order(const TensorInfo& info, const TensorOrder& order);
// Puts all bytes of a tensor, which check_order() has accepted, into the order in which they are used.
void restore_order(std::vector<std::byte>& payload, const TensorInfo& info, const TensorOrder& order);

}  // namespace quintet::decoder
