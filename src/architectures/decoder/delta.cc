#include "architectures/decoder/delta.h"

#include <algorithm>
#include <string>

#include "architectures/transformer/layer_sets.h"

namespace quintet::decoder {
namespace {

// The keys of the sizes in a dialect. GGUF has the width of all value heads instead of one, and value heads have the
// size of key heads.
struct DeltaKeys {
  std::string_view key_heads, value_heads, key_dim, value_dim, kernel;
};
constexpr DeltaKeys kDeltaInAmb = {.key_heads = "delta_key_heads",
                                   .value_heads = "delta_value_heads",
                                   .key_dim = "delta_key_dim",
                                   .value_dim = "delta_value_dim",
                                   .kernel = "delta_kernel"};
constexpr DeltaKeys kDeltaInFolders = {.key_heads = "linear_num_key_heads",
                                       .value_heads = "linear_num_value_heads",
                                       .key_dim = "linear_key_head_dim",
                                       .value_dim = "linear_value_head_dim",
                                       .kernel = "linear_conv_kernel_dim"};
constexpr DeltaKeys kDeltaInGguf = {.key_heads = "ssm.group_count",
                                    .value_heads = "ssm.time_step_rank",
                                    .key_dim = "ssm.state_size",
                                    .value_dim = "ssm.state_size",
                                    .kernel = "ssm.conv_kernel"};

Status read_delta_sizes(const DecoderFields& fields, const DeltaKeys& keys, DecoderConfig& config) {
  const struct {
    std::string_view key;
    uint64_t min, max;
    uint64_t& value;
  } sizes[] = {{keys.key_heads, 1, kMaxHeads, config.delta_key_heads},
               {keys.value_heads, 1, kMaxHeads, config.delta_value_heads},
               {keys.key_dim, 1, kMaxDeltaDim, config.delta_key_dim},
               {keys.value_dim, 1, kMaxDeltaDim, config.delta_value_dim},
               {keys.kernel, 2, kMaxKernel, config.delta_kernel}};
  for (const auto& size : sizes) {
    if (!fields.find(size.key)) return fields.wrong(Reason::missing, size.key, "is missing");
    QUINTET_CHECK(fields.natural(size.key, size.min, size.max, size.value));
  }
  if (config.delta_value_heads % config.delta_key_heads != 0) {
    return fields.wrong(Reason::mismatch, keys.key_heads, "does not divide the {} heads of values",
                        config.delta_value_heads);
  }
  const uint64_t width_of_keys = config.delta_key_heads * config.delta_key_dim;
  if (2 * width_of_keys + config.delta_value_heads * config.delta_value_dim > kMaxWidth) {
    return fields.wrong(Reason::limit, keys.value_heads, "too many channels of queries, keys and values");
  }
  constexpr uint64_t kMaxState = uint64_t{1} << 28;  // floats
  if (config.delta_value_heads * config.delta_key_dim > kMaxState / config.delta_value_dim) {
    return fields.wrong(Reason::limit, keys.value_heads, "a state that is too large");
  }
  return {};
}

// All layers attend but those of the DeltaNet: the complement of every n-th layer.
LayerSet all_but_every_nth(uint64_t interval, uint64_t layers) {
  return other_layers(every_nth_layer(interval, layers), layers);
}

}  // namespace

Status read_huggingface_delta_net(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.has_delta_net) return {};
  uint64_t interval = family.full_attention_interval;
  QUINTET_CHECK(fields.natural("full_attention_interval", 1, kMaxLayers, interval));
  config.delta_layers = interval == 1 ? LayerSet() : all_but_every_nth(interval, config.n_layers);
  QUINTET_CHECK(read_listed_layers(fields, "layer_types", config.n_layers, R"("linear_attention")",
                                   R"("full_attention")", config.delta_layers));
  if (config.delta_layers.empty()) return {};
  config.has_log_delta_rates = true;
  return read_delta_sizes(fields, kDeltaInFolders, config);
}

// llama.cpp, src/models/qwen35.cpp. Its converter puts value heads in an order in which they go round the key heads.
Status read_gguf_delta_net(const Family& family, const DecoderFields& fields, DecoderConfig& config) {
  if (!family.has_delta_net) return {};
  // The blocks that predict further tokens come last. Nothing here uses them.
  constexpr std::string_view kFurther = "nextn_predict_layers", kInner = "ssm.inner_size";
  uint64_t further = 0, interval = family.full_attention_interval;
  QUINTET_CHECK(fields.natural(kFurther, 0, kMaxLayers, further));
  if (further >= config.n_layers) {
    return fields.wrong(Reason::mismatch, kFurther, "leaves none of the {} blocks", config.n_layers);
  }
  const uint64_t blocks = config.n_layers;
  config.n_layers -= further;
  QUINTET_CHECK(fields.natural("full_attention_interval", 1, kMaxLayers, interval));
  config.delta_layers = interval == 1 ? LayerSet() : all_but_every_nth(interval, config.n_layers);
  QUINTET_CHECK(read_listed_layers(fields, "attention.recurrent_layers", blocks, "true", "false", config.delta_layers));
  if (config.delta_layers.size() > config.n_layers) config.delta_layers.resize(static_cast<size_t>(config.n_layers));
  if (std::ranges::find(config.delta_layers, true) == config.delta_layers.end()) config.delta_layers.clear();
  if (config.delta_layers.empty()) return {};
  QUINTET_CHECK(read_delta_sizes(fields, kDeltaInGguf, config));
  config.has_tiled_delta_heads = config.delta_value_heads != config.delta_key_heads;
  uint64_t inner = 0;
  if (!fields.find(kInner)) return fields.wrong(Reason::missing, kInner, "is missing");
  QUINTET_CHECK(fields.natural(kInner, 1, kMaxWidth, inner));
  if (inner == config.delta_value_heads * config.delta_value_dim) return {};
  return fields.wrong(Reason::mismatch, kInner, "the heads of values have {} channels",
                      config.delta_value_heads * config.delta_value_dim);
}

Status check_amb_delta_net(const DecoderFields& fields, DecoderConfig& config) {
  if (!config.delta_layers.empty()) return read_delta_sizes(fields, kDeltaInAmb, config);
  config.delta_key_heads = config.delta_value_heads = config.delta_key_dim = config.delta_value_dim = 0;
  config.delta_kernel = 0;
  return {};
}

}  // namespace quintet::decoder
