#pragma once
// What the configs of decoders have in common under different names: the bounds of their fields, and the
// relations between them.

#include <string_view>

#include "architectures/config_fields.h"
#include "architectures/decoder/config.h"
#include "formats/model_description.h"

namespace quintet {

// The field names of a dialect; empty for fields that it does not have.
struct DecoderKeys {
  std::string_view n_vocab = {}, n_embd = {}, n_layers = {}, n_heads = {}, n_kv_heads = {}, head_dim = {}, n_ff = {};
  std::string_view max_seq_len = {}, activation = {}, rope_freq_base = {}, rope_scaling = {}, rope_dim = {};
  std::string_view sliding_window = {}, norm_eps = {}, tie_embeddings = {};
  std::string_view local_rope_freq_base = {}, embedding_scale = {}, residual_scale = {}, attention_scale = {};
  std::string_view logit_scale = {}, attention_softcap = {}, logit_softcap = {};
  std::string_view attention_temperature = {}, attention_temperature_length = {};
};

// The keys of a format: for GGUF without the architecture as prefix, for safetensors those of config.json. A format
// without decoders has none.
const DecoderKeys& decoder_keys(Format format);

struct Llama3RopeKeys {
  std::string_view factor, low_freq_factor, high_freq_factor, original_max_seq_len;
};

// `mscale` and `mscale_all_dim` tell the attention factor where it is not given.
struct YarnRopeKeys {
  std::string_view factor, beta_fast, beta_slow, original_max_seq_len, attention_factor;
  std::string_view mscale = {}, mscale_all_dim = {};
};

// The fields of a decoder.
class DecoderFields : public ConfigFields {
 public:
  using ConfigFields::ConfigFields;

  // The parameters of Llama 3.1's RoPE, with the defaults of its converter.
  Status llama3_rope(const Llama3RopeKeys& keys, Llama3Rope& rope) const;
  // The parameters of YaRN, of which the factor is required.
  Status yarn_rope(const YarnRopeKeys& keys, YarnRope& rope) const;

  // Reads all fields that have a name in `keys`, and fills in the defaults that depend on them. Fields without a
  // default are required.
  Status read(const DecoderKeys& keys, DecoderConfig& config) const;

 private:
  Status read_sizes(const DecoderKeys& keys, DecoderConfig& config) const;
  Status complete(const DecoderKeys& keys, DecoderConfig& config) const;
};

}  // namespace quintet
