#include "tests/golden/decoder_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "formats/decoder_model.h"
#include "models/decoder/weights_loader.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

constexpr std::string_view kWeight = ".weight";
constexpr std::string_view kBias = ".bias";

AlignedBuffer<float> vector_of(const PlainDecoder& plain, const std::string& name) {
  AlignedBuffer<float> values;
  if (!plain.has(name)) return values;
  const std::vector<float>& source = plain.tensors.at(name);
  EXPECT_TRUE(values.resize_uninitialized(source.size()));
  std::ranges::copy(source, values.data());
  return values;
}

PackedMatrix matrix_of(const PlainDecoder& plain, const std::string& name, uint64_t cols) {
  const std::vector<float>& source = plain.tensors.at(name);
  const size_t rows = source.size() / cols;
  PackedMatrix matrix(Storage::f32, rows, cols);
  EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(source)).data(), rows));
  return matrix;
}

decoder::Projection projection_of(const PlainDecoder& plain, const std::string& module, uint64_t cols) {
  return {.weight = matrix_of(plain, module + std::string(kWeight), cols),
          .bias = vector_of(plain, module + std::string(kBias))};
}

std::optional<decoder::Projection> optional_of(const PlainDecoder& plain, const std::string& module, uint64_t cols) {
  if (!plain.has(module + std::string(kWeight))) return std::nullopt;
  return projection_of(plain, module, cols);
}

decoder::Norm norm_of(const PlainDecoder& plain, const std::string& module) {
  return {.gamma = vector_of(plain, module + std::string(kWeight)),
          .beta = vector_of(plain, module + std::string(kBias))};
}

decoder::Layer layer_of(const PlainDecoder& plain, const std::string& prefix) {
  const DecoderConfig& config = plain.config;
  const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
  const bool is_parallel = plain.has(mlp + "fc1.weight");
  decoder::Layer layer;
  layer.input_norm = norm_of(plain, prefix + "input_layernorm");
  layer.post_attention_norm = norm_of(plain, prefix + "post_attention_layernorm");
  layer.qkv = optional_of(plain, attention + "qkv_proj", config.n_embd);
  layer.query = optional_of(plain, attention + "q_proj", config.n_embd);
  layer.key = optional_of(plain, attention + "k_proj", config.n_embd);
  layer.value = optional_of(plain, attention + "v_proj", config.n_embd);
  layer.attention_output =
      projection_of(plain, attention + (is_parallel ? "dense" : "o_proj"), config.n_heads * config.head_dim);
  layer.gate_up = optional_of(plain, mlp + "gate_up_proj", config.n_embd);
  layer.gate = optional_of(plain, mlp + "gate_proj", config.n_embd);
  layer.up = optional_of(plain, mlp + "up_proj", config.n_embd);
  layer.fc1 = optional_of(plain, mlp + "fc1", config.n_embd);
  layer.down = projection_of(plain, mlp + (is_parallel ? "fc2" : "down_proj"), config.n_ff);
  return layer;
}

// Fills in the tensors of a random decoder one by one.
class Maker {
 public:
  Maker(PlainDecoder& plain, const BlockForm& form, uint32_t seed) : plain_(plain), form_(form), engine_(seed) {}

  void make() {
    const DecoderConfig& config = plain_.config;
    values("model.embed_tokens.weight", config.n_vocab * config.n_embd, 1);
    for (uint64_t i = 0; i < config.n_layers; ++i) layer("model.layers." + std::to_string(i) + ".");
    norm(form_.is_parallel ? "model.final_layernorm" : "model.norm");
    if (form_.has_output) linear("lm_head", config.n_vocab, config.n_embd);
  }

 private:
  void layer(const std::string& prefix) {
    const DecoderConfig& config = plain_.config;
    const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
    const uint64_t queries = config.n_heads * config.head_dim, keys = config.n_kv_heads * config.head_dim;
    norm(prefix + "input_layernorm");
    if (form_.is_fused) {
      linear(attention + "qkv_proj", queries + 2 * keys, config.n_embd);
    } else {
      linear(attention + "q_proj", queries, config.n_embd);
      linear(attention + "k_proj", keys, config.n_embd);
      linear(attention + "v_proj", keys, config.n_embd);
    }
    linear(attention + (form_.is_parallel ? "dense" : "o_proj"), config.n_embd, queries);
    if (form_.is_parallel) {
      linear(mlp + "fc1", config.n_ff, config.n_embd);
      linear(mlp + "fc2", config.n_embd, config.n_ff);
      return;
    }
    norm(prefix + "post_attention_layernorm");
    if (form_.is_fused) {
      linear(mlp + "gate_up_proj", 2 * config.n_ff, config.n_embd);
    } else {
      linear(mlp + "gate_proj", config.n_ff, config.n_embd);
      linear(mlp + "up_proj", config.n_ff, config.n_embd);
    }
    linear(mlp + "down_proj", config.n_embd, config.n_ff);
  }

  // Weights of a size that keeps the variance of what goes through, so that every part of the model is felt.
  void linear(const std::string& module, uint64_t rows, uint64_t cols) {
    values(module + ".weight", rows * cols, 1.7 / std::sqrt(static_cast<double>(cols)));
    if (form_.has_biases) values(module + ".bias", rows, 0.3);
  }
  void norm(const std::string& module) {
    values(module + ".weight", plain_.config.n_embd, 0.5);
    for (float& gamma : plain_.tensors[module + ".weight"]) gamma += 1;
    if (form_.has_layer_norms) values(module + ".bias", plain_.config.n_embd, 0.3);
  }
  void values(const std::string& name, uint64_t count, double largest) {
    std::vector<float>& tensor = plain_.tensors[name];
    for (uint64_t i = 0; i < count; ++i) {
      const double unit = static_cast<double>(engine_()) / static_cast<double>(std::mt19937::max());
      tensor.push_back(static_cast<float>((2 * unit - 1) * largest));
    }
  }

  PlainDecoder& plain_;
  const BlockForm& form_;
  std::mt19937 engine_;
};

}  // namespace

PlainDecoder read_decoder(const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path));
  EXPECT_TRUE(file) << path;
  const Result<DecoderConfig> config = checked_decoder(file->description);
  EXPECT_TRUE(config) << path << ": " << config.error().detail;
  PlainDecoder plain = {.config = *config, .tensors = {}};
  for (const TensorInfo& info : file->description.tensors) {
    if (info.name != "lm_head.weight" || !*config->tie_embeddings) {
      plain.tensors[info.name] = dequantized(*file, info.name);
    }
  }
  return plain;
}

PlainDecoder random_decoder(DecoderConfig config, const BlockForm& form, uint32_t seed) {
  PlainDecoder plain = {.config = std::move(config), .tensors = {}};
  Maker(plain, form, seed).make();
  return plain;
}

decoder::Weights float_weights(const PlainDecoder& plain) {
  const DecoderConfig& config = plain.config;
  decoder::Weights weights;
  weights.embeddings = matrix_of(plain, "model.embed_tokens.weight", config.n_embd);
  for (uint64_t i = 0; i < config.n_layers; ++i) {
    weights.layers.push_back(layer_of(plain, "model.layers." + std::to_string(i) + "."));
  }
  weights.final_norm = norm_of(plain, plain.has("model.norm.weight") ? "model.norm" : "model.final_layernorm");
  weights.output = optional_of(plain, "lm_head", config.n_embd);
  return weights;
}

decoder::Weights loaded_weights(const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path));
  const Result<DecoderConfig> config = checked_decoder(file->description);
  decoder::WeightsLoader loader(std::nullopt);
  loader.begin(*config, file->description);
  for (const TensorInfo& info : file->description.tensors) {
    auto sink = loader.tensor(info, true);
    EXPECT_TRUE(sink) << info.name;
    if (!*sink) continue;
    EXPECT_TRUE((*sink)->write(file->data.at(info.name))) << info.name;
    EXPECT_TRUE((*sink)->finish()) << info.name;
  }
  Result<decoder::Weights> weights = loader.take(*config);
  EXPECT_TRUE(weights) << path;
  return std::move(*weights);
}

decoder::KvCache empty_cache(const DecoderConfig& config, KvType type) {
  const Result<KvRowLayout> row = kv_row_layout(type, config.head_dim);
  EXPECT_TRUE(row);
  return decoder::KvCache(
      {.layers = config.n_layers, .kv_heads = config.n_kv_heads, .row = *row, .window = config.sliding_window});
}

}  // namespace quintet::test
