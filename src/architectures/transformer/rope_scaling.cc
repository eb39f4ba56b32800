#include "architectures/transformer/rope_scaling.h"

#include "architectures/transformer/config.h"
#include "base/power.h"

namespace quintet {

double yarn_growth(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * natural_log(factor) + 1; }

Status read_llama3_rope(const ConfigFields& fields, const Llama3RopeKeys& keys, Llama3Rope& rope) {
  QUINTET_CHECK(fields.positive({{keys.factor, rope.factor},
                                 {keys.low_freq_factor, rope.low_freq_factor},
                                 {keys.high_freq_factor, rope.high_freq_factor},
                                 {keys.original_max_seq_len, rope.original_max_seq_len}}));
  if (rope.high_freq_factor > rope.low_freq_factor) return {};
  return fields.wrong(Reason::mismatch, keys.high_freq_factor, "expected more than {}", keys.low_freq_factor);
}

// The attention factor follows as in transformers, modeling_rope_utils.py, _compute_yarn_parameters.
Status read_yarn_rope(const ConfigFields& fields, const YarnRopeKeys& keys, YarnRope& rope) {
  if (!fields.find(keys.factor)) return fields.wrong(Reason::missing, keys.factor, "is missing");
  double attention_factor = 0;
  QUINTET_CHECK(fields.positive({{keys.factor, rope.factor},
                                 {keys.beta_fast, rope.beta_fast},
                                 {keys.beta_slow, rope.beta_slow},
                                 {keys.attention_factor, attention_factor}}));
  rope.attention_factor = attention_factor == 0 ? yarn_growth(rope.factor) : attention_factor;
  return fields.natural(keys.original_max_seq_len, 1, kMaxPositions, rope.original_max_seq_len);
}

Status read_rope_scaling_json(const ConfigFields& outer, std::string_view key, const ConfigFields& fields,
                              std::string_view type, std::string_view others, TransformerConfig& config) {
  if (type == "default") return {};
  if (type == "linear") {
    if (!fields.find("factor")) return fields.wrong(Reason::missing, "factor", "is missing");
    return fields.positive("factor", kMaxReal, config.rope_scaling);
  }
  if (type == "llama3") {
    return read_llama3_rope(fields,
                            {.factor = "factor",
                             .low_freq_factor = "low_freq_factor",
                             .high_freq_factor = "high_freq_factor",
                             .original_max_seq_len = "original_max_position_embeddings"},
                            config.llama3_rope.emplace());
  }
  if (type != "yarn") {
    return outer.unsupported(key, "supported rope types are default, linear, llama3, yarn and {}", others);
  }
  return read_yarn_rope(fields,
                        {.factor = "factor",
                         .beta_fast = "beta_fast",
                         .beta_slow = "beta_slow",
                         .original_max_seq_len = "original_max_position_embeddings",
                         .attention_factor = "attention_factor"},
                        config.yarn_rope.emplace());
}

}  // namespace quintet
