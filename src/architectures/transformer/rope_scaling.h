#pragma once
// The scaling of rotary positions beyond the length that a model was trained for, as files describe it.

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

// FORMAT if frequencies that are kept are not above those that are divided.
Status check_llama3_rope(const ConfigFields& fields, std::string_view high_freq_key, const Llama3Rope& rope);
// YaRN's attention factor for a scaling factor (arXiv:2309.00071, section 3.4).
double yarn_growth(double factor, double mscale = 1);

struct TransformerConfig;

// The object `rope_scaling` or `rope_parameters` of config.json, the latter also for a kind of layers, for one of the
// types linear, llama3 and yarn. `outer` has it under `key`; `others` are the further types of the network, for the
// message about an unknown one.
Status read_rope_scaling_json(const ConfigFields& outer, std::string_view key, const ConfigFields& fields,
                              std::string_view type, std::string_view others, TransformerConfig& config);

}  // namespace quintet
