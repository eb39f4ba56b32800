#include "models/decoder/weights_loader.h"

#include <charconv>
#include <utility>

#include "base/checked.h"
#include "formats/decoder_tensors.h"
#include "formats/gguf/rope_permutation.h"
#include "models/decoder/head_order_sink.h"
#include "models/decoder/matrix_sink.h"
#include "models/tensor_sinks.h"

namespace quintet::decoder {
namespace {

constexpr std::string_view kLayers = "model.layers.";
constexpr std::string_view kWeight = ".weight";
constexpr std::string_view kOutputWeight = "lm_head.weight";

bool is_norm(std::string_view module) {
  return module.ends_with("norm");  // "model.norm", "model.final_layernorm", "input_layernorm"
}

// Of "model.layers.12.mlp.fc1.weight"; nothing where the name is of no layer.
std::optional<uint64_t> layer_of(std::string_view name) {
  if (!name.starts_with(kLayers)) return std::nullopt;
  name.remove_prefix(kLayers.size());
  uint64_t layer = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
  return error == std::errc() ? layer : UINT64_MAX;
}

uint64_t interleaved_heads(const ModelDescription& order, const TensorInfo& info) {
  return order.format == Format::gguf ? gguf::interleaved_heads(order, info) : 0;
}

}  // namespace

void WeightsLoader::begin(const DecoderConfig& config, const ModelDescription& description) {
  config_ = config;
  order_.format = description.format;
  order_.architecture = description.architecture;
  order_.config = description.config;
}

bool WeightsLoader::is_used(std::string_view name) const {
  if (!is_decoder_tensor(name)) return false;
  if (const auto layer = layer_of(name)) return *layer < config_.n_layers;
  return name != kOutputWeight || !config_.tie_embeddings.value_or(false);
}

Result<uint64_t> WeightsLoader::memory_of(const TensorInfo& info) const {
  if (!is_used(info.name)) return 0;
  const std::string_view module = std::string_view(info.name).substr(0, info.name.rfind('.'));
  if (!info.name.ends_with(kWeight) || is_norm(module)) {
    return checked_mul(info.elements(), sizeof(float)).value_or(UINT64_MAX);
  }
  QUINTET_TRY(const MatrixForm form, matrix_form(info, most_bits_));
  return filled_bytes(form, info);
}

Result<std::unique_ptr<TensorSink>> WeightsLoader::tensor(const TensorInfo& info, bool certain) {
  if (!is_used(info.name)) return nullptr;
  const std::string name = info.name.substr(0, info.name.rfind('.'));
  const bool weight = info.name.ends_with(kWeight);
  const uint64_t heads = interleaved_heads(order_, info);
  if (weight && !is_norm(name)) {
    QUINTET_TRY(MatrixForm form, matrix_form(info, most_bits_));
    QUINTET_TRY(auto sink, matrix_sink(info, std::move(form), certain, modules_[name].matrix));
    return head_order_sink(info, heads, std::move(sink));
  }
  AlignedBuffer<float>& values = weight ? modules_[name].vector : modules_[name].bias;
  values = {};
  QUINTET_TRY(auto sink, decoding_sink(info, certain, values));
  return head_order_sink(info, heads, std::move(sink));
}

// A module without a weight is none, whatever bias stands under its name.
bool WeightsLoader::has(const std::string& name) const {
  const auto module = modules_.find(name);
  return module != modules_.end() && (rows_of(module->second.matrix) != 0 || module->second.vector.size() != 0);
}

Projection WeightsLoader::projection(const std::string& module) {
  Module& found = modules_[module];
  return {.weight = std::move(found.matrix), .bias = std::move(found.bias)};
}

Norm WeightsLoader::norm(const std::string& module) {
  Module& found = modules_[module];
  return {.gamma = std::move(found.vector), .beta = std::move(found.bias)};
}

Layer WeightsLoader::layer(const std::string& prefix) {
  const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
  Layer layer;
  layer.input_norm = norm(prefix + "input_layernorm");
  if (has(attention + "qkv_proj")) {
    layer.qkv = projection(attention + "qkv_proj");
  } else {
    layer.query = projection(attention + "q_proj");
    layer.key = projection(attention + "k_proj");
    layer.value = projection(attention + "v_proj");
  }
  layer.attention_output = projection(attention + (has(attention + "dense") ? "dense" : "o_proj"));
  if (has(mlp + "fc1")) {
    layer.fc1 = projection(mlp + "fc1");
    layer.down = projection(mlp + "fc2");
    return layer;
  }
  layer.post_attention_norm = norm(prefix + "post_attention_layernorm");
  if (has(mlp + "gate_up_proj")) {
    layer.gate_up = projection(mlp + "gate_up_proj");
  } else {
    layer.gate = projection(mlp + "gate_proj");
    layer.up = projection(mlp + "up_proj");
  }
  layer.down = projection(mlp + "down_proj");
  return layer;
}

Result<Weights> WeightsLoader::take(const DecoderConfig& config) {
  Weights weights;
  weights.embeddings = projection("model.embed_tokens").weight;
  for (uint64_t i = 0; i < config.n_layers; ++i) {
    weights.layers.push_back(layer(std::string(kLayers) + std::to_string(i) + "."));
  }
  weights.final_norm = norm(has("model.final_layernorm") ? "model.final_layernorm" : "model.norm");
  if (!config.tie_embeddings.value_or(false)) {
    weights.output = projection("lm_head");
  } else if (modules_["lm_head"].bias.size() != 0) {
    return unsupported_error("an output bias without an output matrix");
  }
  modules_.clear();
  return weights;
}

}  // namespace quintet::decoder
