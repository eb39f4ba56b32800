#pragma once
// The sizes of a BERT-like encoder (Devlin et al. 2018, arXiv:1810.04805), from any dialect.

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

struct EncoderConfig {
  size_t vocab_size = 0;
  size_t hidden = 0;
  size_t layers = 0;
  size_t heads = 0;
  size_t intermediate = 0;
  size_t max_positions = 0;
  float layer_norm_epsilon = 1e-12F;

  size_t head_dim() const { return hidden / heads; }
};

// One size, and its key in each dialect.
struct EncoderKey {
  size_t EncoderConfig::* size;
  std::string_view embd;          // metadata of a .weights file
  std::string_view hugging_face;  // config.json
};
inline constexpr std::array<EncoderKey, 6> kEncoderKeys = {{
    {&EncoderConfig::vocab_size, "vocab_size", "vocab_size"},
    {&EncoderConfig::layers, "num_layers", "num_hidden_layers"},
    {&EncoderConfig::heads, "num_attention_heads", "num_attention_heads"},
    {&EncoderConfig::hidden, "hidden_size", "hidden_size"},
    {&EncoderConfig::intermediate, "intermediate_size", "intermediate_size"},
    {&EncoderConfig::max_positions, "max_position_emb", "max_position_embeddings"},
}};

// A parser for each dialect. check_encoder_tensors() (parts.h) checks the tensors against the result.

// From config.json. Fails for other architectures, and for variants of BERT that compute differently.
Result<EncoderConfig> read_encoder_config_json(const Json& config);

// Whether a .weights file is flat: it has no metadata (docs/formats/weights.md, "Flat layout").
bool is_flat(const ModelDescription& description);

// From the shapes of the tensors of a flat file. `heads`: the number known to the caller, 0 for the default.
Result<EncoderConfig> read_flat_encoder_config(const std::vector<TensorInfo>& tensors, size_t heads);

// The configuration of the encoder in a .weights file, checked against its tensors. `heads`: the number that the caller
// knows for a flat file, 0 if unknown.
Result<EncoderConfig> read_embd_encoder(const ModelDescription& description, size_t heads);

// The required metadata of a .weights file, in order; `created_at` is fixed.
Json embd_metadata(const EncoderConfig& config, std::string_view model_name);

}  // namespace quintet
