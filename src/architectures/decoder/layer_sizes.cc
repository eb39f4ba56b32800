#include "architectures/decoder/layer_sizes.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "architectures/transformer/layer_sets.h"

namespace quintet {

std::optional<size_t> DecoderConfig::kv_source_of(size_t layer) const {
  if (has_own_kv(layer)) return layer;
  if (mixer_of(layer) != Mixer::attention) return std::nullopt;
  for (auto source = static_cast<size_t>(n_layers - n_shared_kv_layers); source-- > 0;) {
    if (window_of(source) == window_of(layer) && has_attention(source)) return source;
  }
  return std::nullopt;
}

namespace decoder {
namespace {

// One number for each layer; empty if the field is absent.
Status read_numbers(const DecoderFields& fields, std::string_view key, uint64_t max, const DecoderConfig& config,
                    std::vector<uint64_t>& numbers) {
  const Json* field = fields.find(key);
  if (!field) return {};
  if (!field->as_array()) {
    uint64_t number = 0;
    QUINTET_CHECK(fields.natural(key, 1, max, number));
    numbers.assign(static_cast<size_t>(config.n_layers), number);
    return {};
  }
  if (field->as_array()->size() != config.n_layers) {
    return fields.wrong(Reason::mismatch, key, "expected a number for each of {} layers", config.n_layers);
  }
  for (const Json& entry : *field->as_array()) {
    const auto number = entry.as_uint();
    if (!number || *number < 1 || *number > max) {
      return fields.wrong(Reason::limit, key, "expected numbers from 1 to {}", max);
    }
    numbers.push_back(*number);
  }
  return {};
}

Failure not_of_kinds(const DecoderFields& fields, std::string_view key, std::string_view kinds) {
  return fields.unsupported(key, "supported is one number for all layers {}", kinds);
}

// The width of the MLP depends on whether a layer has its own keys and values.
Status read_widths(const DecoderFields& fields, std::string_view key, DecoderConfig& config) {
  std::vector<uint64_t> widths;
  QUINTET_CHECK(read_numbers(fields, key, kMaxWidth, config, widths));
  for (size_t layer = 0; layer < widths.size(); ++layer) {
    uint64_t& of_kind = config.has_own_kv(layer) ? config.n_ff : config.shared_kv_ff;
    if (of_kind != 0 && of_kind != widths[layer]) {
      return not_of_kinds(fields, key, "with keys and values of their own, and without");
    }
    of_kind = widths[layer];
  }
  return {};
}

Status check_rotated_part(const DecoderFields& fields, const DecoderConfig& config) {
  if (config.local_rope_dim > config.local_head_dim || config.local_rope_dim % 2 != 0) {
    return fields.wrong(Reason::mismatch, "local_rope_dim", "expected an even number up to the head size of {}",
                        config.local_head_dim);
  }
  if (config.rope_rotated_pairs <= config.rope_dim / 2) return {};
  return fields.wrong(Reason::mismatch, "rope_rotated_pairs", "more than the {} of a head", config.rope_dim / 2);
}

Status check_shared_kv(const DecoderFields& fields, const DecoderConfig& config) {
  if (config.n_shared_kv_layers == 0) return {};
  const std::string text = formatted("{} layers that read keys and values of others: ", config.n_shared_kv_layers);
  if (config.n_shared_kv_layers >= config.n_layers) {
    return fields.wrong(Reason::mismatch, "n_layers", "{}no layer has any", text);
  }
  for (auto layer = static_cast<size_t>(config.n_layers - config.n_shared_kv_layers); layer < config.n_layers;
       ++layer) {
    if (config.kv_source_of(layer)) continue;
    return fields.wrong(Reason::mismatch, "n_layers", "{}none before them is like layer {}", text, layer);
  }
  return {};
}

}  // namespace

Status read_listed_sizes(const DecoderFields& fields, DecoderConfig& config) {
  constexpr std::string_view kHeads = "attention.head_count_kv";
  std::vector<uint64_t> heads;
  QUINTET_CHECK(fields.natural("attention.sliding_window", 0, kMaxPositions, config.sliding_window));
  QUINTET_CHECK(fields.natural("attention.shared_kv_layers", 0, kMaxLayers, config.n_shared_kv_layers));
  QUINTET_CHECK(read_numbers(fields, kHeads, kMaxHeads, config, heads));
  for (size_t layer = 0; layer < heads.size(); ++layer) {
    uint64_t& of_kind = config.window_of(layer) != 0 ? config.local_kv_heads : config.n_kv_heads;
    if (of_kind != 0 && of_kind != heads[layer]) return not_of_kinds(fields, kHeads, "with a window, and without");
    of_kind = heads[layer];
  }
  return read_widths(fields, "feed_forward_length", config);
}

Status read_sparse_layers(const DecoderFields& fields, std::string_view key, double sparse, DecoderConfig& config) {
  constexpr uint64_t kFirst = 10;
  constexpr double kTolerance = 1e-3;
  QUINTET_TRY(const Json::Array* entries, list_of_layers(fields, key, config.n_layers));
  if (!entries) {
    config.n_sparse_layers = config.n_layers > kFirst ? kFirst : 0;
    return {};
  }
  for (size_t layer = 0; layer < entries->size(); ++layer) {
    const double number = (*entries)[layer].as_double().value_or(0);
    if (!(number > 0)) continue;
    if (std::abs(number - sparse) > kTolerance || config.n_sparse_layers != layer) {
      return fields.unsupported(key, "supported is {} in the first layers, and 0 in the others", write_json(sparse));
    }
    ++config.n_sparse_layers;
  }
  return {};
}

// Layers without a window have other heads of keys and values if the keys are also their values, and layers that share
// those may have MLPs of twice the width (transformers, modeling_gemma4.py).
Status read_layer_kinds(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.has_layer_kinds) return {};
  bool is_double = false;
  uint64_t heads = config.n_kv_heads;
  QUINTET_CHECK(read_widths(fields, "intermediate_size", config));
  QUINTET_CHECK(fields.flag("attention_k_eq_v", config.has_keys_as_values));
  QUINTET_CHECK(fields.natural("num_global_key_value_heads", 1, kMaxHeads, heads));
  if (config.has_keys_as_values) config.local_kv_heads = std::exchange(config.n_kv_heads, heads);
  if (config.n_heads % config.n_kv_heads != 0) {
    return fields.wrong(Reason::mismatch, "num_global_key_value_heads", "does not divide the {} heads", config.n_heads);
  }
  QUINTET_CHECK(fields.flag("use_double_wide_mlp", is_double));
  if (is_double && config.n_shared_kv_layers != 0) config.shared_kv_ff = 2 * config.n_ff;
  return family.traits.block.has_altup ? read_sparse_layers(fields, "activation_sparsity_pattern", 0.95, config)
                                       : Status();
}

// A size that is that of the other layers has one form, so that equal configurations compare equal.
Status complete_layer_sizes(const DecoderFields& fields, DecoderConfig& config) {
  const uint64_t local_head_dim = config.local_head_dim == 0 ? config.head_dim : config.local_head_dim;
  if (config.local_rope_dim == 0 && local_head_dim != config.head_dim) config.local_rope_dim = local_head_dim;
  if (config.local_kv_heads != 0 && config.n_heads % config.local_kv_heads != 0) {
    return fields.wrong(Reason::mismatch, "local_kv_heads", "does not divide the {} heads", config.n_heads);
  }
  config.local_head_dim = local_head_dim;
  QUINTET_CHECK(check_rotated_part(fields, config));
  if (config.local_head_dim == config.head_dim) config.local_head_dim = 0;
  if (config.local_kv_heads == config.n_kv_heads) config.local_kv_heads = 0;
  if (config.local_rope_dim == config.rope_dim) config.local_rope_dim = 0;
  if (config.shared_kv_ff == config.n_ff) config.shared_kv_ff = 0;
  if (config.layer_input_vocab == config.n_vocab) config.layer_input_vocab = 0;
  return check_shared_kv(fields, config);
}

}  // namespace decoder
}  // namespace quintet
