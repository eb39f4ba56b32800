#pragma once
// Reads the configuration of a decoder by the table of traits, in any dialect, and checks how they relate.

#include <string_view>

#include "architectures/config_fields.h"
#include "architectures/decoder/config.h"
#include "architectures/transformer/traits.h"

namespace quintet {

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
