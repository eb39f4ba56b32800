#include <string>
#include <utility>

#include "bench/native/formats/models.h"
#include "formats/embd/encoder_sizes.h"

namespace quintet::bench {
namespace {

constexpr uint64_t kVocabulary = 8192, kWidth = 384, kPositions = 512, kHeads = 12, kIntermediate = 1536;

class Builder {
 public:
  explicit Builder(Dtype matrices) : matrices_(matrices) { description_.format = Format::embd; }

  ModelDescription build() {
    const uint64_t layer_bytes = (4 * kWidth * kWidth + 2 * kWidth * kIntermediate) * bits_of(matrices_) / 8;
    layers_ = kFileBytes / layer_bytes + 1;
    matrix(std::string(embd::kWordEmbeddings), kVocabulary, kWidth);
    add(std::string(embd::kPositionEmbeddings), Dtype::f32, {kPositions, kWidth});
    add("embeddings.token_type_embeddings.weight", Dtype::f32, {2, kWidth});
    norm("embeddings.LayerNorm");
    for (uint64_t i = 0; i < layers_; ++i) layer(std::string(embd::kLayerPrefix) + std::to_string(i) + ".");
    describe();
    return std::move(description_);
  }

 private:
  void add(std::string name, Dtype dtype, std::vector<uint64_t> shape) {
    TensorInfo info;
    info.name = std::move(name);
    info.dtype = dtype;
    info.shape = std::move(shape);
    description_.tensors.push_back(std::move(info));
  }
  void matrix(const std::string& name, uint64_t rows, uint64_t cols) {
    add(name, matrices_, {rows, cols});
    if (matrices_ == Dtype::i8) add(name + ".scale", Dtype::f32, {rows});
  }
  void norm(const std::string& name) {
    add(name + ".weight", Dtype::f32, {kWidth});
    add(name + ".bias", Dtype::f32, {kWidth});
  }
  void linear(const std::string& name, uint64_t out, uint64_t in) {
    matrix(name + ".weight", out, in);
    add(name + ".bias", Dtype::f32, {out});
  }

  void layer(const std::string& prefix) {
    for (const char* projection : {"query", "key", "value"}) {
      linear(prefix + "attention.self." + projection, kWidth, kWidth);
    }
    linear(prefix + "attention.output.dense", kWidth, kWidth);
    norm(prefix + "attention.output.LayerNorm");
    linear(prefix + "intermediate.dense", kIntermediate, kWidth);
    linear(prefix + "output.dense", kWidth, kIntermediate);
    norm(prefix + "output.LayerNorm");
  }

  void describe() {
    Json& metadata = description_.metadata;
    metadata.append("model_name", "bench");
    metadata.append("model_version", "1.0");
    metadata.append("embedding_dim", std::to_string(kWidth));
    metadata.append("vocab_size", std::to_string(kVocabulary));
    metadata.append("num_layers", std::to_string(layers_));
    metadata.append("num_attention_heads", std::to_string(kHeads));
    metadata.append("hidden_size", std::to_string(kWidth));
    metadata.append("intermediate_size", std::to_string(kIntermediate));
    metadata.append("max_position_emb", std::to_string(kPositions));
    metadata.append("created_at", "1970-01-01T00:00:00Z");
    if (matrices_ == Dtype::i8) metadata.append("quantization", "int8-row");
  }

  ModelDescription description_;
  Dtype matrices_;
  uint64_t layers_ = 0;
};

}  // namespace

ModelDescription encoder(Dtype matrices) { return Builder(matrices).build(); }

}  // namespace quintet::bench
