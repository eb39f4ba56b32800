#include "architectures/encoder/parts.h"

#include <string>

#include "formats/weights/encoder_sizes.h"
#include "formats/weights/tensor_index.h"

namespace quintet {
namespace {

using Config = EncoderConfig;

// In the order of EncoderPart.
constexpr std::array<EncoderPartRow, 13> kParts = {{
    // clang-format off
    // part                                name                              layer  rows                    columns               bias   quant. used
    {EncoderPart::word_embeddings,       "embeddings.word_embeddings",       false, &Config::vocab_size,    &Config::hidden,       false, true,  true},
    {EncoderPart::position_embeddings,   "embeddings.position_embeddings",   false, &Config::max_positions, &Config::hidden,       false, false, true},
    {EncoderPart::token_type_embeddings, "embeddings.token_type_embeddings", false, nullptr,                &Config::hidden,       false, false, true},
    {EncoderPart::embeddings_norm,       "embeddings.LayerNorm",             false, &Config::hidden,        nullptr,               true,  false, true},
    {EncoderPart::query,                 "attention.self.query",             true,  &Config::hidden,        &Config::hidden,       true,  true,  true},
    {EncoderPart::key,                   "attention.self.key",               true,  &Config::hidden,        &Config::hidden,       true,  true,  true},
    {EncoderPart::value,                 "attention.self.value",             true,  &Config::hidden,        &Config::hidden,       true,  true,  true},
    {EncoderPart::attention_output,      "attention.output.dense",           true,  &Config::hidden,        &Config::hidden,       true,  true,  true},
    {EncoderPart::attention_norm,        "attention.output.LayerNorm",       true,  &Config::hidden,        nullptr,               true,  false, true},
    {EncoderPart::intermediate,          "intermediate.dense",               true,  &Config::intermediate,  &Config::hidden,       true,  true,  true},
    {EncoderPart::output,                "output.dense",                     true,  &Config::hidden,        &Config::intermediate, true,  true,  true},
    {EncoderPart::output_norm,           "output.LayerNorm",                 true,  &Config::hidden,        nullptr,               true,  false, true},
    {EncoderPart::pooler,                "pooler.dense",                     false, &Config::hidden,        &Config::hidden,       true,  false, false},
    // clang-format on
}};

constexpr std::string_view kWeight = ".weight", kBias = ".bias";

using Size = size_t EncoderConfig::*;

std::string_view key_of(Size size, std::string_view EncoderKey::* key) {
  for (const EncoderKey& row : kEncoderKeys) {
    if (row.size == size) return row.*key;
  }
  return {};
}

class Checker {
 public:
  Checker(const EncoderConfig& config, const std::vector<TensorInfo>& tensors, std::string_view EncoderKey::* key)
      : config_(config), tensors_(tensors), key_(key) {}

  Status check_part(const EncoderPartRow& row, const std::string& prefix) const {
    const std::string name = prefix + std::string(row.name);
    QUINTET_CHECK(check_shape(name + std::string(kWeight), row.rows, row.columns, !row.columns));
    return row.bias ? check_shape(name + std::string(kBias), row.rows, nullptr, true) : Status();
  }

 private:
  Status check_shape(const std::string& name, Size rows, Size columns, bool vector) const {
    const TensorInfo* info = tensors_.find(name);
    if (!info) return missing_tensor(name, "a tensor that the encoder needs is missing");
    const uint64_t any = info->shape.empty() ? 0 : info->shape[0];
    std::vector<uint64_t> shape = {rows ? config_.*rows : any};
    if (!vector) shape.push_back(config_.*columns);
    if (info->shape == shape) return check_type(*info);
    return tensor_error(
        Code::format, Reason::mismatch, *info,
        "shape " + shape_text(info->shape) + ", expected " + shape_text(shape) + " from " + keys_of(rows, columns));
  }

  // "vocab_size and hidden_size".
  std::string keys_of(Size rows, Size columns) const {
    std::string keys(key_of(rows, key_));
    if (columns && columns != rows) keys += (rows ? " and " : "") + std::string(key_of(columns, key_));
    return keys;
  }

  // Vectors are floats; matrices may be int8 with scales, which are separate tensors in the file.
  Status check_type(const TensorInfo& info) const {
    const Dtype type = info.dtype;
    if (type == Dtype::f32 || type == Dtype::f16 || type == Dtype::bf16) return {};
    if (type == Dtype::i8 && info.shape.size() == 2) {
      const std::string scales = weights::scale_name(info.name);
      if (info.quantized() || tensors_.find(scales)) return {};
      return missing_tensor(scales, "the scales of an int8 matrix are missing");
    }
    return tensor_error(
        Code::unsupported, Reason::unknown_value, info,
        "weights of type " + std::string(name_of(type)) + "; supported are F32, F16, BF16 and I8 matrices with scales");
  }

  const EncoderConfig& config_;
  TensorLookup tensors_;
  std::string_view EncoderKey::* key_;
};

}  // namespace

std::optional<EncoderTensor> find_encoder_tensor(std::string_view name) {
  const bool in_layer = name.starts_with(weights::kLayerPrefix);
  uint32_t layer = 0;
  if (in_layer) {
    const auto number = weights::layer_of(name);
    if (!number || *number >= kMaxEncoderLayers) return std::nullopt;
    layer = *number;
    name.remove_prefix(name.find('.', weights::kLayerPrefix.size()) + 1);
  }
  const bool bias = name.ends_with(kBias);
  if (!bias && !name.ends_with(kWeight)) return std::nullopt;
  name.remove_suffix((bias ? kBias : kWeight).size());
  for (const EncoderPartRow& row : kParts) {
    if (row.name != name || row.in_layer != in_layer || (bias && !row.bias)) continue;
    return EncoderTensor{.part = row.part, .bias = bias, .layer = layer};
  }
  return std::nullopt;
}

bool is_quantized(EncoderTensor tensor) { return !tensor.bias && kParts[static_cast<size_t>(tensor.part)].quantized; }

Status check_encoder_tensors(const EncoderConfig& config, const std::vector<TensorInfo>& tensors,
                             std::string_view EncoderKey::* key) {
  const std::string layers = std::string(key_of(&EncoderConfig::layers, key)) + " is " + std::to_string(config.layers);
  if (config.layers > kMaxEncoderLayers) {
    return unsupported_error(layers + ", at most " + std::to_string(kMaxEncoderLayers) + " are supported");
  }
  const Checker checker(config, tensors, key);
  for (const EncoderPartRow& row : kParts) {
    if (row.used && !row.in_layer) QUINTET_CHECK(checker.check_part(row, ""));
  }
  for (size_t layer = 0; layer < config.layers; ++layer) {
    const std::string prefix = std::string(weights::kLayerPrefix) + std::to_string(layer) + ".";
    for (const EncoderPartRow& row : kParts) {
      if (row.in_layer) QUINTET_CHECK(checker.check_part(row, prefix));
    }
  }
  for (const TensorInfo& info : tensors) {
    const auto tensor = find_encoder_tensor(info.name);
    if (!tensor || tensor->layer < config.layers) continue;
    return tensor_error(Code::format, Reason::mismatch, info, "layer " + std::to_string(tensor->layer) + ", " + layers);
  }
  return {};
}

}  // namespace quintet
