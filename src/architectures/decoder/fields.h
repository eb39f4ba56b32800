#pragma once
// Reads the configuration of a decoder by the table of traits, in any dialect, and checks how they relate.

#include <string_view>

#include "architectures/config_fields.h"
#include "architectures/decoder/config.h"
#include "architectures/transformer/traits.h"

namespace quintet {

struct Llama3RopeKeys {
  std::string_view factor, low_freq_factor, high_freq_factor, original_max_seq_len;
};

struct YarnRopeKeys {
  std::string_view factor, beta_fast, beta_slow, original_max_seq_len, attention_factor;
};

struct YarnScaleKeys {
  std::string_view attention_factor, mscale, mscale_all_dim;
};

struct XieluKeys {
  std::string_view positive, negative, beta, eps;
};

// The fields of a decoder.
class DecoderFields : public ConfigFields {
 public:
  using ConfigFields::ConfigFields;

  // The parameters of Llama 3.1's RoPE, with the defaults of its converter.
  Status llama3_rope(const Llama3RopeKeys& keys, Llama3Rope& rope) const;
  // The parameters of YaRN, of which the factor is required. Without an attention factor it is yarn_growth().
  Status yarn_rope(const YarnRopeKeys& keys, YarnRope& rope) const;
  // YaRN's attention factor by two scales, where the field for itself is absent.
  Status yarn_scales(const YarnScaleKeys& keys, YarnRope& rope) const;

  // The parameters of xIELU, of which both alphas are required: a list with one for each layer, or a number for all.
  Status xielu(const XieluKeys& keys, uint64_t layers, std::vector<Xielu>& parameters) const;

  // Reads all traits that have a key, and fills in the defaults that depend on them. Traits that are required must be
  // there if they have a key.
  Status read(const transformer::TraitKeys& keys, DecoderConfig& config) const;

 private:
  Status of_layers(std::string_view key, double Xielu::* value, std::vector<Xielu>& parameters) const;
  Status complete(const transformer::TraitKeys& keys, DecoderConfig& config) const;
};

}  // namespace quintet
