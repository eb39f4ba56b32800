#pragma once
// How rotary positions beyond the length that a model was trained for are scaled, and what files say about it.

#include <cstdint>
#include <string_view>

#include "architectures/config_fields.h"
#include "base/result.h"

namespace quintet {

// Llama 3.1's RoPE: low frequencies are divided by `factor`, high ones are kept, those between are interpolated
// (transformers, modeling_rope_utils.py, _compute_llama3_parameters).
struct Llama3Rope {
  double factor = 8;
  double low_freq_factor = 1;
  double high_freq_factor = 4;
  double original_max_seq_len = 8192;

  bool operator==(const Llama3Rope&) const = default;
};

// YaRN (Peng et al. 2023, arXiv:2309.00071, section 3): low frequencies are divided by `factor`, high ones are kept,
// those between are interpolated.
struct YarnRope {
  double factor = 1;
  double beta_fast = 32, beta_slow = 1;  // rotations within the original length: faster pairs are kept
  uint64_t original_max_seq_len = 0;
  double attention_factor = 1;  // of cosines and sines

  bool operator==(const YarnRope&) const = default;
};

struct Llama3RopeKeys {
  std::string_view factor, low_freq_factor, high_freq_factor, original_max_seq_len;
};

struct YarnRopeKeys {
  std::string_view factor, beta_fast, beta_slow, original_max_seq_len, attention_factor;
};

// The parameters of Llama 3.1's RoPE, with the defaults of its converter.
Status read_llama3_rope(const ConfigFields& fields, const Llama3RopeKeys& keys, Llama3Rope& rope);
// YaRN's attention factor for a scaling factor (arXiv:2309.00071, section 3.4).
double yarn_growth(double factor, double mscale = 1);
// The parameters of YaRN, of which the factor is required. Without an attention factor it is yarn_growth().
Status read_yarn_rope(const ConfigFields& fields, const YarnRopeKeys& keys, YarnRope& rope);

struct TransformerConfig;

// The object `rope_scaling` or `rope_parameters` of config.json, the latter also for a kind of layers, for one of the
// types linear, llama3 and yarn. `outer` has it under `key`; `others` are the further types of the network, for the
// message about an unknown one.
Status read_rope_scaling_json(const ConfigFields& outer, std::string_view key, const ConfigFields& fields,
                              std::string_view type, std::string_view others, TransformerConfig& config);

}  // namespace quintet
