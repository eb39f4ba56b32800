#pragma once
// The tensors of an encoder: one table of its parts, with the name of each in every dialect and its shape.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/encoder/families.h"
#include "formats/model_description.h"

namespace quintet::encoder {

// Modules with a weight, and most with a bias: first those of a layer, then those outside of the layers.
enum class Part : uint8_t {
  input_norm,  // of networks with norms before the branches
  mlp_norm,
  query,
  key,
  value,
  qkv,  // queries, keys and values as one matrix
  query_norm,
  key_norm,
  attention_output,
  attention_norm,         // of networks with norms after the branches
  second_attention_norm,  // of the result, with the input of the layer added once more
  up,
  gate,
  gate_up,  // both as one matrix, in this order or in the other
  up_gate,
  down,
  output_norm,
  word_embeddings,
  position_embeddings,
  token_type_embeddings,
  embeddings_norm,
  embeddings_projection,
  distance_bias,  // of scores, for each bucket of distances and each head
  final_norm,
  head_dense,  // of rerankers (ranking_head.h)
  head_norm,
  classifier,
  end
};
constexpr size_t kLayerParts = static_cast<size_t>(Part::word_embeddings);
constexpr size_t kParts = static_cast<size_t>(Part::end);
constexpr bool is_of_head(Part part) { return part >= Part::head_dense; }

// A size in the shape of a tensor.
enum class Extent : uint8_t {
  none,
  any,
  vocab,
  positions,
  embedding,
  hidden,
  qkv,
  queries,  // the heads of queries side by side
  keys,     // those of keys, and of values
  one_head,
  intermediate,
  gate_and_up,
  buckets,
  heads,
  labels,  // of a reranker
};

struct PartRow {
  Part part;
  uint16_t namings;              // that have this name: a bit for each Naming
  std::string_view huggingface;  // in a layer: after its number. That of BERT is also the one of .weights
  std::string_view gguf;         // empty: none
  Extent rows, cols;             // cols none: a vector
  bool is_quantized = false;     // when the model is (docs/formats/weights.md, "Int8 (extension)")

  bool in_layer() const { return static_cast<size_t>(part) < kLayerParts; }
  // Whether a linear layer multiplies with it.
  bool is_matrix() const { return cols != Extent::none && part != Part::distance_bias; }
};

// A tensor of an encoder, parsed from its name.
struct Role {
  const PartRow* row = nullptr;
  uint32_t layer = 0;  // of a part of a layer
  bool is_bias = false;

  Part part() const { return row->part; }
  bool is_quantized() const { return !is_bias && row->is_quantized; }
  // With 0 for any size.
  std::vector<uint64_t> shape(const EncoderConfig& config) const;
};

// The key of a dialect that determines an extent, for messages; empty if there is none.
std::string_view key_of(Extent extent, const EncoderKeys& keys);

// More layers than any encoder has, so that a wrong name does not cost memory.
inline constexpr uint32_t kMaxLayers = 512;

// The tensor names of a file.
class TensorNames {
 public:
  // Those of a family in a format; safetensors stands for Hugging Face.
  TensorNames(const Family& family, Format format);
  TensorNames(const ModelDescription& description, const EncoderConfig& config)
      : TensorNames(family_of(config), description.format) {}

  // Nothing for tensors that the encoder does not use.
  std::optional<Role> role_of(std::string_view name) const;
  // Uses the shape too: in GGUF, `ffn_up` with twice the rows contains the gate as well.
  std::optional<Role> role_of(const TensorInfo& info, const EncoderConfig& config) const;
  // The file's name for a tensor, for messages about missing tensors, and its name in .weights files.
  std::string name_of(const PartRow& row, uint32_t layer, bool is_bias) const;

  // The row of a part; null if the family has no such part.
  const PartRow* row_of(Part part) const;
  const Family& family() const { return family_; }
  bool is_gguf() const { return is_gguf_; }
  // The keys of the configuration, for messages.
  const EncoderKeys& keys() const;

 private:
  bool has(const PartRow& row) const;
  std::string_view name_in(const PartRow& row) const { return is_gguf_ ? row.gguf : row.huggingface; }
  std::string_view layers_prefix() const;

  const Family& family_;
  Format format_;
  bool is_gguf_;
};

}  // namespace quintet::encoder
