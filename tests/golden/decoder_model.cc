#include "tests/golden/decoder_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "architectures/decoder/decoder.h"
#include "models/decoder/weights_loader.h"
#include "tests/formats/reading.h"

namespace quintet::test {
namespace {

AlignedBuffer<float> vector_of(const std::vector<float>& source) {
  AlignedBuffer<float> values;
  EXPECT_TRUE(values.resize_uninitialized(source.size()));
  std::ranges::copy(source, values.data());
  return values;
}

PackedMatrix matrix_of(const std::vector<float>& source, uint64_t cols) {
  const size_t rows = source.size() / cols;
  PackedMatrix matrix(Storage::f32, rows, cols);
  EXPECT_TRUE(matrix.append_rows(std::as_bytes(std::span(source)).data(), rows));
  return matrix;
}

decoder::Module& module_of(decoder::Weights& weights, const decoder::TensorRef& ref) {
  Modules<decoder::Module>& modules = ref.in_layer() ? weights.layers[ref.layer] : weights.shared;
  return modules[ref.kind()];
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
    if (config.qk_norm == QkNorm::per_head) {
      norm(attention + "q_norm", config.head_dim);
      norm(attention + "k_norm", config.head_dim);
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
  void norm(const std::string& module) { norm(module, plain_.config.n_embd); }
  void norm(const std::string& module, uint64_t width) {
    values(module + ".weight", width, 0.5);
    for (float& gamma : plain_.tensors[module + ".weight"]) gamma += 1;
    if (form_.has_layer_norms) values(module + ".bias", width, 0.3);
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
  config.block = {.is_gated = !form.is_parallel, .is_parallel = form.is_parallel};
  PlainDecoder plain = {.config = std::move(config), .tensors = {}};
  Maker(plain, form, seed).make();
  return plain;
}

decoder::Weights float_weights(const PlainDecoder& plain) {
  const decoder::TensorNames names((ModelDescription()));
  decoder::Weights weights;
  weights.layers.resize(plain.config.n_layers);
  for (const auto& [name, values] : plain.tensors) {
    const auto ref = names.ref_of(name);
    if (!ref) continue;
    decoder::Module& module = module_of(weights, *ref);
    if (ref->is_bias) {
      module.bias = vector_of(values);
    } else if (ref->spec->is_matrix()) {
      module.matrix = matrix_of(values, decoder::size_of(ref->spec->cols, plain.config, ref->layer));
    } else {
      module.vector = vector_of(values);
    }
  }
  return weights;
}

decoder::Weights loaded_weights(const std::string& path) {
  const Result<ReadFile> file = read_file(fixture(path));
  const Result<DecoderConfig> config = checked_decoder(file->description);
  decoder::WeightsLoader loader(std::nullopt);
  loader.begin(*config, decoder::TensorNames(file->description));
  for (const TensorInfo& info : file->description.tensors) {
    EXPECT_TRUE(loader.announce(info)) << info.name;
    auto sink = loader.tensor({info, true});
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
