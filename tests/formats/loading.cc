#include "tests/formats/loading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace quintet::test {
namespace {

Status feed(GeneratorLoader& loader, Bytes file, size_t chunk) {
  while (!file.empty()) {
    // In a block of its own, so that the sanitizers see a read beyond it.
    const Bytes front = file.first(std::min(chunk, file.size()));
    QUINTET_CHECK(loader.feed(File(front.begin(), front.end())));
    file = file.subspan(front.size());
  }
  return {};
}

std::optional<std::string_view> behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

const decoder::Projection* present(const std::optional<decoder::Projection>& projection) {
  return projection ? &*projection : nullptr;
}

const decoder::Projection* projection_of(const decoder::Layer& layer, std::string_view module) {
  if (module == "self_attn.q_proj") return present(layer.query);
  if (module == "self_attn.k_proj") return present(layer.key);
  if (module == "self_attn.v_proj") return present(layer.value);
  if (module == "self_attn.qkv_proj") return present(layer.qkv);
  if (module == "self_attn.o_proj" || module == "self_attn.dense") return &layer.attention_output;
  if (module == "mlp.gate_proj") return present(layer.gate);
  if (module == "mlp.up_proj") return present(layer.up);
  if (module == "mlp.gate_up_proj") return present(layer.gate_up);
  if (module == "mlp.fc1") return present(layer.fc1);
  if (module == "mlp.down_proj" || module == "mlp.fc2") return &layer.down;
  return nullptr;
}

const decoder::Norm* norm_of(const decoder::Layer& layer, std::string_view module) {
  if (module == "input_layernorm") return &layer.input_norm;
  return module == "post_attention_layernorm" ? &layer.post_attention_norm : nullptr;
}

// The layer's number and what stands behind it.
struct InLayer {
  const decoder::Layer& layer;
  std::string_view module;
};

std::optional<InLayer> layer_of(const GeneratorModel& model, std::string_view name) {
  const auto rest = behind(name, "model.layers.");
  if (!rest) return std::nullopt;
  const size_t layer = std::stoul(std::string(*rest));
  if (layer >= model.weights.layers.size()) return std::nullopt;
  return InLayer{model.weights.layers[layer], rest->substr(rest->find('.') + 1)};
}

struct Named {
  std::string_view module;
  bool bias;
};

Named split(std::string_view name) {
  return {.module = name.substr(0, name.rfind('.')), .bias = name.ends_with(".bias")};
}

const decoder::Projection* projection_of(const GeneratorModel& model, std::string_view module) {
  if (module == "lm_head") return present(model.weights.output);
  const auto in_layer = layer_of(model, module);
  return in_layer ? projection_of(in_layer->layer, in_layer->module) : nullptr;
}

const decoder::Norm* norm_of(const GeneratorModel& model, std::string_view module) {
  if (module == "model.norm" || module == "model.final_layernorm") return &model.weights.final_norm;
  const auto in_layer = layer_of(model, module);
  return in_layer ? norm_of(in_layer->layer, in_layer->module) : nullptr;
}

float largest(const std::vector<float>& values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::fabs(value));
  return most;
}

}  // namespace

LoadedModel load(const NamedFiles& files, const Loading& how) {
  GeneratorLoader loader(how.options, how.format, how.available);
  for (const auto& [name, bytes] : files) {
    QUINTET_CHECK(loader.begin_file(name, how.length_known ? std::optional<uint64_t>(bytes.size()) : std::nullopt));
    QUINTET_CHECK(feed(loader, bytes, how.chunk));
    QUINTET_CHECK(loader.end_file());
  }
  return loader.finish();
}

LoadedModel load(const File& model, const Loading& how) { return load(NamedFiles{{"", model}}, how); }

const WeightMatrix* held_matrix(const GeneratorModel& model, std::string_view name) {
  const auto [module, bias] = split(name);
  if (bias) return nullptr;
  if (module == "model.embed_tokens") return &model.weights.embeddings;
  const decoder::Projection* projection = projection_of(model, module);
  return projection ? &projection->weight : nullptr;
}

std::vector<float> values_of(const WeightMatrix& matrix) {
  std::vector<float> values(rows_of(matrix) * cols_of(matrix));
  for (size_t row = 0; row < rows_of(matrix); ++row) read_row(matrix, row, values.data() + row * cols_of(matrix));
  return values;
}

std::optional<std::vector<float>> held_values(const GeneratorModel& model, std::string_view name) {
  if (const WeightMatrix* matrix = held_matrix(model, name)) return values_of(*matrix);
  const auto [module, bias] = split(name);
  const AlignedBuffer<float>* vector = nullptr;
  if (const decoder::Norm* norm = norm_of(model, module)) {
    vector = bias ? &norm->beta : &norm->gamma;
  } else if (const decoder::Projection* projection = projection_of(model, module)) {
    vector = &projection->bias;
  }
  if (!vector) return std::nullopt;
  return std::vector<float>(vector->span().begin(), vector->span().end());
}

void expect_same_values(const std::vector<float>& held, const std::vector<float>& expected) {
  ASSERT_EQ(held.size(), expected.size());
  for (size_t i = 0; i < held.size(); ++i) {
    if (std::isnan(held[i]) && std::isnan(expected[i])) continue;
    ASSERT_EQ(held[i], expected[i]) << i;
  }
}

void expect_near_values(const std::vector<float>& held, const std::vector<float>& expected, float ulps) {
  ASSERT_EQ(held.size(), expected.size());
  const float most = ulps * largest(expected) * 0x1p-23F;
  for (size_t i = 0; i < held.size(); ++i) ASSERT_NEAR(held[i], expected[i], most) << i;
}

File safetensors_of(const std::vector<PlainTensorF32>& tensors) {
  std::string header = "{", data;
  for (const auto& [name, shape, values] : tensors) {
    const size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    header += (header.size() > 1 ? ",\"" : "\"") + name + R"(":{"dtype":"F32","shape":)" + shape_text(shape) +
              ",\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
  }
  header += "}";
  const uint64_t length = header.size();
  std::string prefix(sizeof length, '\0');
  std::memcpy(prefix.data(), &length, sizeof length);
  return file_of(prefix + header + data);
}

}  // namespace quintet::test
