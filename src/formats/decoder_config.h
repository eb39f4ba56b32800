#pragma once
// The sizes and switches of a decoder (Llama, Mistral, Phi), whatever file they come from.

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "tensor/activation.h"

namespace quintet {

struct DecoderConfig {
  std::string architecture;
  uint64_t n_vocab = 0, n_embd = 0, n_layers = 0, n_heads = 0, n_kv_heads = 0;
  uint64_t head_dim = 0;
  uint64_t n_ff = 0;  // 0: not said, the tensors' shapes tell
  uint64_t max_seq_len = 2048;
  bool is_rope = true;
  Activation activation = Activation::silu;
  double rope_freq_base = 10000, rope_scaling = 1;  // positions are divided by rope_scaling
  uint64_t rope_dim = 0;                            // rotated part of a head
  uint64_t sliding_window = 0;                      // 0: none
  double norm_eps = 1e-5;
  std::optional<bool> tie_embeddings;  // nothing: tied where no output matrix is stored

  bool operator==(const DecoderConfig&) const = default;
};

// From an AMB config (RULINGS "AMB" 3), with its defaults; fields that are missing, of the wrong kind or outside what a
// model can have are errors without an offset.
Result<DecoderConfig> read_amb_config(const Json& config);
// From the parameters of an ALT file under the names of its specification.
Result<DecoderConfig> read_alt_parameters(const Json& parameters, const ModelDescription& description);
// From a Hugging Face config.json of Llama, Mistral, Phi-2 ("phi") or Phi-3; what we do not compute is UNSUPPORTED.
Result<DecoderConfig> read_huggingface_config(const Json& config);
// Of any description that holds a decoder: chooses among the above; of gguf and safetensors `config` is in AMB's names.
Result<DecoderConfig> decoder_config(const ModelDescription& description);

// As AMB config and as ALT parameters (without `seq_len`); values that are the format's default are written all the
// same. ALT must know n_ff and tie_embeddings, which check_decoder_tensors() fills in; what it cannot express is an
// error.
Json amb_config(const DecoderConfig& config);
Result<Json> alt_parameters(const DecoderConfig& config);

}  // namespace quintet
