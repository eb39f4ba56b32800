#pragma once
// The configuration of a text encoder in typed form, whatever file it comes from: of descendants of BERT (Devlin et al.
// 2018, arXiv:1810.04805), and of decoders that were trained as encoders. families.h lists them.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "architectures/encoder/ranking_head.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "tensor/activation.h"

namespace quintet {

// What a network computes, sizes apart. The family decides most of it (families.h), with defaults for what files may
// leave out.
struct EncoderTraits {
  float layer_norm_epsilon = 1e-12F;
  bool has_rms_norm = false;  // all norms are RMSNorm
  Activation activation = Activation::gelu_erf;
  // The MLP is down(activation(gate x) * up x), a gated linear unit (Shazeer 2020, arXiv:2002.05202); else
  // down(activation(up x)).
  bool is_gated = false;
  // x += branch(norm(x)), with a norm at the end; else x = norm(x + branch(x)).
  bool has_pre_norm = false;
  bool has_branch_norms = false;  // with pre-norm: x += norm(branch(norm(x)))
  bool has_token_types = true;
  bool has_scaled_embeddings = false;  // rows of words, by the square root of the hidden size

  // How positions are known: by embeddings that are added to those of words ...
  bool has_position_embeddings = true;
  // ... by rotated queries and keys (Su et al. 2021, arXiv:2104.09864) ...
  double rope_base = 0;        // 0: none
  double local_rope_base = 0;  // of layers with a window; 0: the same
  // ... by a penalty on distance that is linear and different for each head (ALiBi, Press et al. 2021,
  // arXiv:2108.12409) ...
  bool has_alibi = false;
  // ... or by a learned bias of each head for each range of distances (T5, Raffel et al. 2019, arXiv:1910.10683).
  size_t distance_buckets = 0;  // 0: none

  bool is_causal = false;  // a token sees none after it
  // Tokens at most this far away on either side are seen; 0: all. One layer of each `full_attention_interval` has no
  // window: the first, or the last.
  size_t window = 0;
  size_t full_attention_interval = 1;
  bool full_attention_is_last = false;
};

struct EncoderConfig : EncoderTraits {
  std::string_view model_type = "bert";  // of the family
  size_t vocab_size = 0;
  size_t hidden = 0;
  size_t layers = 0;
  size_t heads = 0;
  size_t key_value_heads = 0;  // shared by groups of heads (Ainslie et al. 2023, arXiv:2305.13245); 0: one for each
  size_t head_width = 0;       // 0: hidden / heads
  size_t intermediate = 0;
  size_t embedding = 0;              // width of the embeddings, which a linear layer projects; 0: hidden
  size_t max_positions = 0;          // rows of the position embeddings, if there are any
  size_t position_offset = 0;        // the row of the first token
  double query_pre_attn_scalar = 0;  // scores are divided by its square root; 0: the width of a head
  double rope_divisor = 1;           // of all frequencies
  bool has_norm_offset = false;      // the file's norms multiply by 1 + weight

  std::optional<RankingHead> head = {};  // of a reranker

  size_t embedding_width() const { return embedding == 0 ? hidden : embedding; }
  size_t head_dim() const { return head_width == 0 ? hidden / heads : head_width; }
  size_t key_heads() const { return key_value_heads == 0 ? heads : key_value_heads; }
  size_t query_width() const { return heads * head_dim(); }
  size_t key_width() const { return key_heads() * head_dim(); }
  size_t qkv_width() const { return query_width() + 2 * key_width(); }
  size_t max_tokens() const { return max_positions - position_offset; }
  bool is_full_attention(size_t layer) const {
    return layer % full_attention_interval == (full_attention_is_last ? full_attention_interval - 1 : 0);
  }
  size_t window_of(size_t layer) const { return is_full_attention(layer) ? 0 : window; }
};

// The names of the fields that all families have, in the configuration of a dialect; empty if it has none.
struct EncoderKeys {
  std::string_view vocab_size = "vocab_size", hidden = "hidden_size", layers = "num_hidden_layers";
  std::string_view heads = "num_attention_heads", intermediate = "intermediate_size";
  std::string_view max_positions = "max_position_embeddings";
  std::string_view layer_norm_epsilon = "layer_norm_eps", activation = "hidden_act";
};

// One size, and the key under which a dialect has it. In the order in which .weights files have them.
struct EncoderSize {
  size_t EncoderConfig::* size;
  std::string_view EncoderKeys::* key;
};
inline constexpr std::array<EncoderSize, 6> kEncoderSizes = {{
    {&EncoderConfig::vocab_size, &EncoderKeys::vocab_size},
    {&EncoderConfig::layers, &EncoderKeys::layers},
    {&EncoderConfig::heads, &EncoderKeys::heads},
    {&EncoderConfig::hidden, &EncoderKeys::hidden},
    {&EncoderConfig::intermediate, &EncoderKeys::intermediate},
    {&EncoderConfig::max_positions, &EncoderKeys::max_positions},
}};

// The keys of .weights files, and those of GGUF files without the architecture as prefix.
inline constexpr EncoderKeys kEmbdKeys = {
    .layers = "num_layers", .max_positions = "max_position_emb", .layer_norm_epsilon = {}, .activation = {}};
inline constexpr EncoderKeys kGgufEncoderKeys = {.vocab_size = "vocab_size",
                                                 .hidden = "embedding_length",
                                                 .layers = "block_count",
                                                 .heads = "attention.head_count",
                                                 .intermediate = "feed_forward_length",
                                                 .max_positions = "context_length",
                                                 .layer_norm_epsilon = "attention.layer_norm_epsilon",
                                                 .activation = "hidden_activation"};

// INPUT or FORMAT for sizes that contradict each other; `keys` is for the message.
Status check_encoder_sizes(const EncoderConfig& config, const EncoderKeys& keys);

// A parser for each dialect. check_encoder_tensors() (tensor_check.h) checks the tensors against the result. Features
// that are not implemented are UNSUPPORTED.
//
// From config.json.
Result<EncoderConfig> read_encoder_config_json(const Json& config);
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

// The configuration of the encoder in a .weights file, checked against its tensors. `heads`: the number that the caller
// knows for a flat file, 0 if unknown.
Result<EncoderConfig> read_embd_encoder(const ModelDescription& description, size_t heads);

// The required metadata of a .weights file, in order; `created_at` is fixed.
Json embd_metadata(const EncoderConfig& config, std::string_view model_name);

}  // namespace quintet
