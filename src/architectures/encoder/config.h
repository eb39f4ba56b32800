#pragma once
// The configuration of a text encoder in typed form, from any kind of file: of descendants of BERT (Devlin et al. 2018,
// arXiv:1810.04805), and of decoders that were trained as encoders. families.h lists them.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "architectures/encoder/classification_head.h"
#include "architectures/encoder/lora.h"
#include "architectures/transformer/traits.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

struct EncoderConfig : TransformerConfig {
  std::string_view model_type = "bert";         // of the family
  std::optional<ClassificationHead> head = {};  // of a reranker or classifier
  std::optional<LoraTask> lora = {};            // whose adapter is added to the weights
  uint64_t output_width = 0;                    // of what a linear layer makes of the hidden states; 0: there is none
  bool has_mlm_head = false;                    // that for masked tokens gives logits of the vocabulary

  size_t hidden_size() const { return static_cast<size_t>(n_embd); }
  // The width of the vectors that pooling gives.
  uint64_t vector_width() const { return output_width == 0 ? n_embd : output_width; }
  uint64_t query_width(size_t layer = 0) const { return n_heads * head_dim_of(layer); }
  uint64_t key_width(size_t layer = 0) const { return kv_heads_of(layer) * head_dim_of(layer); }
  uint64_t qkv_width(size_t layer = 0) const { return query_width(layer) + 2 * key_width(layer); }
  size_t max_tokens() const { return static_cast<size_t>(max_seq_len - position_offset); }
  bool has_pre_norm() const { return block.norms != NormPlacement::post; }
  bool has_branch_norms() const { return block.norms == NormPlacement::around; }
};

// Fills in the sizes that follow from others: those of heads, and the width of embeddings. INPUT for sizes that
// contradict each other; `keys` is for the message.
Status complete_encoder_sizes(EncoderConfig& config, const transformer::TraitKeys& keys);

// A parser for each dialect. check_encoder_tensors() (tensor_check.h) checks the tensors against the result. Features
// that are not implemented are UNSUPPORTED.
//
// From config.json.
Result<EncoderConfig> read_encoder_config_json(const Json& config);
// Sets has_mlm_head. UNSUPPORTED for a head with its own matrix.
Status read_mlm_head_json(const Json& config, EncoderConfig& encoder);
// From the metadata of a GGUF file.
Result<EncoderConfig> read_encoder_gguf(const ModelDescription& description);
// From the metadata of a .weights file (docs/formats/weights.md).
Result<EncoderConfig> read_encoder_metadata(const Json& metadata);
// From the shapes of the tensors of a flat .weights file. `heads`: the number known to the caller, 0 for the default.
Result<EncoderConfig> read_flat_encoder_config(const std::vector<TensorInfo>& tensors, size_t heads);

// Whether a .weights file is flat: it has no metadata (docs/formats/weights.md, "Flat layout").
bool is_flat(const ModelDescription& description);

// Whether the architecture of a GGUF file, or config.json, is that of an encoder.
bool is_encoder_gguf(std::string_view architecture);
bool is_encoder_json(const Json& config);

// The configuration of the encoder in a .weights file, checked against its tensors. `heads`: the number from the caller
// for a flat file, 0 if unknown.
Result<EncoderConfig> read_embd_encoder(const ModelDescription& description, size_t heads);

// The sizes under the keys of .weights files, in their order.
Json embd_sizes(const EncoderConfig& config);
// The required metadata of a .weights file, in order; `created_at` is fixed.
Json embd_metadata(const EncoderConfig& config, std::string_view model_name);

}  // namespace quintet
