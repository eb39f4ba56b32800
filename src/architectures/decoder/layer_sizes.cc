#include "architectures/decoder/layer_sizes.h"

#include <string>
#include <vector>

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
  constexpr std::string_view kHeads = "attention.head_count_kv", kWidth = "feed_forward_length";
  std::vector<uint64_t> heads, widths;
  QUINTET_CHECK(fields.natural("attention.sliding_window", 0, kMaxPositions, config.sliding_window));
  QUINTET_CHECK(fields.natural("attention.shared_kv_layers", 0, kMaxLayers, config.n_shared_kv_layers));
  QUINTET_CHECK(read_numbers(fields, kHeads, kMaxHeads, config, heads));
  QUINTET_CHECK(read_numbers(fields, kWidth, kMaxWidth, config, widths));
  for (size_t layer = 0; layer < heads.size(); ++layer) {
    uint64_t& of_kind = config.window_of(layer) != 0 ? config.local_kv_heads : config.n_kv_heads;
    if (of_kind != 0 && of_kind != heads[layer]) return not_of_kinds(fields, kHeads, "with a window, and without");
    of_kind = heads[layer];
  }
  for (size_t layer = 0; layer < widths.size(); ++layer) {
    uint64_t& of_kind = config.has_own_kv(layer) ? config.n_ff : config.shared_kv_ff;
    if (of_kind != 0 && of_kind != widths[layer]) {
      return not_of_kinds(fields, kWidth, "with keys and values of their own, and without");
    }
    of_kind = widths[layer];
  }
  return {};
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
  return check_shared_kv(fields, config);
}

}  // namespace decoder
}  // namespace quintet
