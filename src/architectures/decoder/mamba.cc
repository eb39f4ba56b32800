#include "architectures/decoder/mamba.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "architectures/transformer/layer_sets.h"
#include "base/decimal.h"

namespace quintet::decoder {
namespace {

// The keys of the sizes that all dialects have, for messages.
struct SizeKeys {
  std::string_view heads, inner, groups, state, kernel;
};
constexpr SizeKeys kAmb = {.heads = "mamba_heads",
                           .inner = "mamba_inner",
                           .groups = "mamba_groups",
                           .state = "mamba_state",
                           .kernel = "mamba_kernel"};
constexpr SizeKeys kGguf = {.heads = "ssm.time_step_rank",
                            .inner = "ssm.inner_size",
                            .groups = "ssm.group_count",
                            .state = "ssm.state_size",
                            .kernel = "ssm.conv_kernel"};

Status required(const DecoderFields& fields, std::string_view key, uint64_t min, uint64_t max, uint64_t& value) {
  if (!fields.find(key)) return fields.wrong(Reason::missing, key, "is missing");
  return fields.natural(key, min, max, value);
}

Status read_sizes(const DecoderFields& fields, const SizeKeys& keys, DecoderConfig& config) {
  QUINTET_CHECK(required(fields, keys.heads, 1, kMaxHeads, config.mamba_heads));
  QUINTET_CHECK(required(fields, keys.groups, 1, kMaxHeads, config.mamba_groups));
  QUINTET_CHECK(required(fields, keys.state, 1, kMaxMambaState, config.mamba_state));
  return required(fields, keys.kernel, 2, kMaxKernel, config.mamba_kernel);
}

// Heads have equal shares of the channels, and groups equal shares of the heads.
Status check_sizes(const DecoderFields& fields, const SizeKeys& keys, const DecoderConfig& config) {
  if (config.mamba_inner == 0 || config.mamba_inner > kMaxWidth) {
    return fields.wrong(Reason::out_of_range, keys.inner, "{} channels of Mamba-2", config.mamba_inner);
  }
  if (config.mamba_inner % config.mamba_heads != 0) {
    return fields.wrong(Reason::mismatch, keys.heads, "does not divide the {} channels of Mamba-2", config.mamba_inner);
  }
  if (config.mamba_heads % config.mamba_groups != 0) {
    return fields.wrong(Reason::mismatch, keys.groups, "does not divide the {} heads of Mamba-2", config.mamba_heads);
  }
  constexpr uint64_t kMaxFloats = uint64_t{1} << 28;
  if (config.mamba_inner > kMaxFloats / config.mamba_state) {
    return fields.wrong(Reason::limit, keys.state, "for {} channels is a state that is too large", config.mamba_inner);
  }
  return {};
}

bool is_empty(const LayerSet& set) { return std::ranges::find(set, true) == set.end(); }

LayerSet all_layers(const DecoderConfig& config) { return first_layers(config.n_layers, config.n_layers); }

// An M for each layer with Mamba-2, a * with attention, a - with an MLP.
Status read_pattern(const DecoderFields& fields, DecoderConfig& config) {
  constexpr std::string_view kPattern = "hybrid_override_pattern";
  std::string pattern;
  if (!fields.find(kPattern)) return fields.wrong(Reason::missing, kPattern, "is missing");
  QUINTET_CHECK(fields.text(kPattern, pattern));
  if (pattern.size() != config.n_layers) {
    return fields.wrong(Reason::mismatch, kPattern, "expected a letter for each of {} layers", config.n_layers);
  }
  if (pattern.find_first_not_of("M*-") != std::string::npos) {
    return fields.unsupported(kPattern, "supported are M, * and -");
  }
  for (const char letter : pattern) {
    config.mamba_layers.push_back(letter == 'M');
    config.mlp_layers.push_back(letter == '-');
  }
  return {};
}

// The channels of all heads. `mamba_d_ssm` is Falcon-H1's.
Status read_channels(const DecoderFields& fields, const MambaKeys& keys, DecoderConfig& config) {
  uint64_t head_dim = 0, expand = 2;
  QUINTET_CHECK(fields.natural(keys.expand, 1, kMaxWidth, expand));
  config.mamba_inner = std::min(expand * config.n_embd, kMaxWidth + 1);
  QUINTET_CHECK(fields.natural("mamba_d_ssm", 1, kMaxWidth, config.mamba_inner));
  const Json* given = fields.find(keys.head_dim);
  if (!given || given->as_string()) return {};
  QUINTET_CHECK(fields.natural(keys.head_dim, 1, kMaxWidth, head_dim));
  const uint64_t inner = head_dim * config.mamba_heads;
  if (fields.find("mamba_d_ssm") && inner != config.mamba_inner) {
    return fields.wrong(Reason::mismatch, "mamba_d_ssm", "the heads have {} channels", inner);
  }
  config.mamba_inner = inner;
  return {};
}

// Time steps are not cut off here; a limit above those of any model has no effect.
Status check_time_step_limit(const DecoderFields& fields) {
  constexpr std::string_view kLimit = "time_step_limit";
  constexpr double kNone = 1000;
  QUINTET_TRY(const Json::Array* limit, fields.list(kLimit));
  if (!limit) return {};
  const bool is_none = limit->size() == 2 && (*limit)[0].as_double() == 0.0 &&
                       ((*limit)[1].is_null() || (*limit)[1].as_double().value_or(0) >= kNone);
  return is_none ? Status() : fields.unsupported(kLimit, "supported is no limit");
}

Status read_factors(const DecoderFields& fields, std::string_view key, std::initializer_list<double*> factors) {
  std::vector<double> values;
  QUINTET_CHECK(fields.positives(key, values));
  if (values.empty()) return {};
  if (values.size() != factors.size()) {
    return fields.wrong(Reason::mismatch, key, "expected {} numbers", factors.size());
  }
  for (size_t i = 0; i < values.size(); ++i) *factors.begin()[i] *= values[i];
  return {};
}

// The multipliers of Falcon-H1 (arXiv:2507.22448, section 3.2). Those of attention's input and of keys go to the scores
// and to the values, which the output multiplies.
Status read_branch_multipliers(const DecoderFields& fields, DecoderConfig& config) {
  double logits = 1, attention_in = 1, key = 1, mamba_in = 1;
  bool has_norm = false, is_norm_first = true;
  QUINTET_CHECK(fields.flag("mamba_rms_norm", has_norm));
  QUINTET_CHECK(fields.flag("mamba_norm_before_gate", is_norm_first));
  if (has_norm && is_norm_first) {
    return fields.unsupported("mamba_norm_before_gate", "supported is false, where there is a norm");
  }
  QUINTET_CHECK(fields.positive("embedding_multiplier", kMaxReal, config.embedding_scale));
  QUINTET_CHECK(fields.positive("lm_head_multiplier", kMaxReal, logits));
  QUINTET_CHECK(fields.positive("attention_in_multiplier", kMaxReal, attention_in));
  QUINTET_CHECK(fields.positive("attention_out_multiplier", kMaxReal, config.attention_output_scale));
  QUINTET_CHECK(fields.positive("key_multiplier", kMaxReal, key));
  QUINTET_CHECK(fields.positive("ssm_in_multiplier", kMaxReal, mamba_in));
  QUINTET_CHECK(fields.positive("ssm_out_multiplier", kMaxReal, config.mamba_output_scale));
  config.logit_scale = 1 / logits;
  config.attention_scale = attention_in * attention_in * key / std::sqrt(static_cast<double>(config.head_dim));
  config.attention_output_scale *= attention_in;
  for (double* scale : {&config.mamba_gate_scale, &config.mamba_x_scale, &config.mamba_b_scale, &config.mamba_c_scale,
                        &config.mamba_time_scale}) {
    *scale = mamba_in;
  }
  QUINTET_CHECK(read_factors(fields, "ssm_multipliers",
                             {&config.mamba_gate_scale, &config.mamba_x_scale, &config.mamba_b_scale,
                              &config.mamba_c_scale, &config.mamba_time_scale}));
  return read_factors(fields, "mlp_multipliers", {&config.mlp_gate_scale, &config.mlp_output_scale});
}

Status read_huggingface_layers(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (family.mamba_layers == MambaLayers::pattern) return read_pattern(fields, config);
  if (family.mamba_layers == MambaLayers::listed) {
    return read_listed_layers(fields, "layer_types", config.n_layers, R"("mamba")", family.attention_type,
                              config.mamba_layers);
  }
  config.mamba_layers = all_layers(config);
  return {};
}

// Layers without heads of keys and values, and without the width of an MLP where layers are one or the other, have
// Mamba-2 (llama.cpp, src/models/granite-hybrid.cpp and nemotron-h.cpp).
Status read_gguf_layers(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  constexpr std::string_view kHeads = "attention.head_count_kv", kWidths = "feed_forward_length";
  if (family.mamba_layers == MambaLayers::all) {
    config.mamba_layers = all_layers(config);
    return {};
  }
  const auto without = [&](std::string_view key, LayerSet& layers) {
    const Json* entries = fields.find(key);
    if (!entries || !entries->as_array()) return Status();
    const std::string max = write_natural(greatest_of_layers(fields, key));
    return read_listed_layers(fields, key, config.n_layers, "0", max, layers);
  };
  QUINTET_CHECK(without(kHeads, config.mamba_layers));
  if (family.mamba_layers == MambaLayers::listed) return {};
  LayerSet no_mlp;
  QUINTET_CHECK(without(kWidths, no_mlp));
  config.n_ff = greatest_of_layers(fields, kWidths);
  config.mamba_layers.resize(static_cast<size_t>(config.n_layers));
  config.mlp_layers.resize(static_cast<size_t>(config.n_layers));
  for (size_t layer = 0; layer < config.n_layers; ++layer) {
    const bool attends = !config.mamba_layers[layer], has_mlp = !contains(no_mlp, layer);
    if (attends && has_mlp) {
      return fields.wrong(Reason::mismatch, kWidths, "layer {} has attention and an MLP", layer);
    }
    config.mamba_layers[layer] = !attends && !has_mlp;
    config.mlp_layers[layer] = has_mlp;
  }
  return {};
}

// Sets without layers have one form.
void settle(DecoderConfig& config) {
  for (LayerSet* set : {&config.mamba_layers, &config.mlp_layers}) {
    if (is_empty(*set)) set->clear();
  }
}

}  // namespace

uint64_t greatest_of_layers(const DecoderFields& fields, std::string_view key) {
  const Json* counts = fields.find(key);
  uint64_t max = 0;
  if (!counts || !counts->as_array()) return max;
  for (const Json& count : *counts->as_array()) max = std::max(max, count.as_uint().value_or(0));
  return max;
}

Status read_huggingface_mamba(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (family.mamba_layers == MambaLayers::none) return {};
  QUINTET_CHECK(read_huggingface_layers(family, fields, config));
  settle(config);
  if (family.has_branch_multipliers) QUINTET_CHECK(read_branch_multipliers(fields, config));
  if (config.mamba_layers.empty()) return {};
  const MambaKeys& names = family.mamba_keys;
  const SizeKeys keys = {.heads = names.heads,
                         .inner = names.head_dim,
                         .groups = names.groups,
                         .state = names.state,
                         .kernel = names.kernel};
  config.has_log_mamba_rates = true;
  QUINTET_CHECK(read_sizes(fields, keys, config));
  QUINTET_CHECK(read_channels(fields, names, config));
  QUINTET_CHECK(check_time_step_limit(fields));
  return check_sizes(fields, keys, config);
}

Status read_gguf_mamba(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (family.mamba_layers == MambaLayers::none) return {};
  QUINTET_CHECK(read_gguf_layers(family, fields, config));
  settle(config);
  if (config.mamba_layers.empty()) return {};
  QUINTET_CHECK(read_sizes(fields, kGguf, config));
  QUINTET_CHECK(required(fields, kGguf.inner, 1, kMaxWidth, config.mamba_inner));
  return check_sizes(fields, kGguf, config);
}

Status check_amb_mamba(const DecoderFields& fields, DecoderConfig& config) {
  if (config.mamba_layers.empty()) {
    config.mamba_heads = config.mamba_groups = config.mamba_inner = config.mamba_state = config.mamba_kernel = 0;
    return {};
  }
  for (size_t layer = 0; layer < config.mamba_layers.size(); ++layer) {
    if (config.mamba_layers[layer] && contains(config.mlp_layers, layer)) {
      return fields.wrong(Reason::mismatch, "mlp_layers", "has layers with Mamba-2");
    }
  }
  QUINTET_CHECK(read_sizes(fields, kAmb, config));
  QUINTET_CHECK(required(fields, kAmb.inner, 1, kMaxWidth, config.mamba_inner));
  return check_sizes(fields, kAmb, config);
}

}  // namespace quintet::decoder
