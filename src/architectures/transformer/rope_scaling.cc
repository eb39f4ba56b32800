#include "architectures/transformer/rope_scaling.h"

#include "architectures/transformer/config.h"
#include "base/power.h"

namespace quintet {

Status check_llama3_rope(const ConfigFields& fields, std::string_view high_freq_key, const Llama3Rope& rope) {
  if (rope.high_freq_factor > rope.low_freq_factor) return {};
  return fields.wrong(Reason::mismatch, high_freq_key, "expected more than that of low frequencies");
}

double yarn_growth(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * natural_log(factor) + 1; }

Status read_rope_scaling_json(const ConfigFields& outer, std::string_view key, const ConfigFields& fields,
                              std::string_view type, std::string_view others, TransformerConfig& config) {
  if (type == "default") return {};
  const bool is_linear = type == "linear", is_llama3 = type == "llama3";
  if (!is_linear && !is_llama3 && type != "yarn") {
    return outer.unsupported(key, "supported rope types are default, linear, llama3, yarn and {}", others);
  }
  double factor = 0, attention_factor = 0;
  Llama3Rope llama3;
  YarnRope yarn;
  QUINTET_CHECK(fields.positive({{"factor", factor},
                                 {"low_freq_factor", llama3.low_freq_factor},
                                 {"high_freq_factor", llama3.high_freq_factor},
                                 {"beta_fast", yarn.beta_fast},
                                 {"beta_slow", yarn.beta_slow},
                                 {"attention_factor", attention_factor}}));
  QUINTET_CHECK(fields.natural("original_max_position_embeddings", 1, kMaxPositions, yarn.original_max_seq_len));
  if (factor == 0) return fields.wrong(Reason::missing, "factor", "is missing");
  if (is_linear) {
    config.rope_scaling = factor;
    return {};
  }
  if (!is_llama3) {
    yarn.factor = factor;
    yarn.attention_factor = attention_factor == 0 ? yarn_growth(factor) : attention_factor;
    config.yarn_rope = yarn;
    return {};
  }
  llama3.factor = factor;
  if (yarn.original_max_seq_len != 0) llama3.original_max_seq_len = static_cast<double>(yarn.original_max_seq_len);
  config.llama3_rope = llama3;
  return check_llama3_rope(fields, "high_freq_factor", llama3);
}

}  // namespace quintet
