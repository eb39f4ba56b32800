#include <array>
#include <string>
#include <utility>

#include "architectures/decoder/config.h"
#include "bench/native/formats/model_file.h"
#include "formats/embd/encoder_sizes.h"
#include "formats/tinyruntime/network.h"
#include "formats/tinyruntime/tensors.h"
#include "tensor/codecs/payload.h"

namespace quintet::bench {
namespace {

class DecoderBuilder {
 public:
  DecoderBuilder(Format format, const StoredAs& matrices) : matrices_(matrices) { description_.format = format; }

  ModelDescription build() {
    const uint64_t layer_bytes = matrix_bytes(4 * kWidth * kWidth + 3 * kWidth * kFeedForward);
    layers_ = kFileBytes / layer_bytes + 1;
    matrix("model.embed_tokens.weight", kVocabulary, kWidth);
    for (uint64_t i = 0; i < layers_; ++i) layer("model.layers." + std::to_string(i) + ".");
    vector("model.norm.weight");
    matrix("lm_head.weight", kVocabulary, kWidth);
    describe();
    return std::move(description_);
  }

 private:
  static constexpr uint64_t kVocabulary = 4096, kWidth = 512, kHeads = 8, kFeedForward = 1536;
  static constexpr uint16_t kAmbChecksum = 1;  // as convert writes it

  uint64_t matrix_bytes(uint64_t elements) const {
    const auto size = payload_size(matrices_.dtype, matrices_.quantization, elements);
    return size->scales + size->data;
  }
  void add(std::string name, std::vector<uint64_t> shape, const StoredAs& type) {
    TensorInfo info;
    info.name = std::move(name);
    info.dtype = type.dtype;
    info.quantization = type.quantization;
    info.shape = std::move(shape);
    description_.tensors.push_back(std::move(info));
  }
  void matrix(std::string name, uint64_t rows, uint64_t cols) { add(std::move(name), {rows, cols}, matrices_); }
  void vector(std::string name) {
    const bool plain = matrices_.quantization.scheme == Scheme::none;
    add(std::move(name), {kWidth}, plain ? matrices_ : StoredAs{});
  }

  void layer(const std::string& prefix) {
    vector(prefix + "input_layernorm.weight");
    for (const char* projection : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
      matrix(prefix + "self_attn." + projection + ".weight", kWidth, kWidth);
    }
    vector(prefix + "post_attention_layernorm.weight");
    matrix(prefix + "mlp.gate_proj.weight", kFeedForward, kWidth);
    matrix(prefix + "mlp.up_proj.weight", kFeedForward, kWidth);
    matrix(prefix + "mlp.down_proj.weight", kWidth, kFeedForward);
  }

  void describe() {
    DecoderConfig config;
    config.architecture = "llama";
    config.n_vocab = kVocabulary;
    config.n_embd = kWidth;
    config.n_layers = layers_;
    config.n_heads = config.n_kv_heads = kHeads;
    config.head_dim = config.rope_dim = kWidth / kHeads;
    config.n_ff = kFeedForward;
    config.tie_embeddings = false;
    if (description_.format == Format::amb) {
      description_.flags = kAmbChecksum;
      description_.config = amb_config(config);
    } else if (description_.format == Format::alt) {
      description_.metadata.append("model_type", "llama");
      description_.config = alt_parameters(config).value_or(Json::object());
      add_tokens();
    }
  }

  // ALT files always have a vocabulary.
  void add_tokens() {
    TokenizerDescription& tokenizer = description_.tokenizer;
    tokenizer.kind.emplace<SentencePieceDescription>();
    for (uint64_t i = 0; i < kVocabulary; ++i) {
      if (!tokenizer.tokens.add("token" + std::to_string(i))) return;
      tokenizer.sentencepiece()->scores.push_back(-static_cast<float>(i));
      tokenizer.piece_types.push_back(i == 0 ? PieceType::unknown : PieceType::normal);
    }
    tokenizer.special.unk = 0;
  }

  ModelDescription description_;
  StoredAs matrices_;
  uint64_t layers_ = 0;
};

class EncoderBuilder {
 public:
  explicit EncoderBuilder(Dtype matrices) : matrices_(matrices) { description_.format = Format::embd; }

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
  static constexpr uint64_t kVocabulary = 8192, kWidth = 384, kPositions = 512, kHeads = 12, kIntermediate = 1536;

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

constexpr uint32_t kClasses = 1000, kFirstWidth = 64, kExpansion = 4;
constexpr std::array<uint32_t, 4> kBlocks = {3, 4, 6, 3};
constexpr uint32_t kDefaultGroup = 64;

void add_conv(LayerTable& table, uint32_t kernel, uint32_t stride, uint32_t in, uint32_t out) {
  table.convs.push_back({.kernel = kernel,
                         .stride = stride,
                         .padding = kernel / 2,
                         .in_channels = in,
                         .out_channels = out,
                         .bias = true,
                         .output = {}});
}

LayerTable resnet50(NetworkKind kind) {
  LayerTable table;
  table.kind = kind;
  table.classes = kClasses;
  add_conv(table, 7, 2, 3, kFirstWidth);
  uint32_t in = kFirstWidth, width = kFirstWidth;
  for (size_t stage = 0; stage < kBlocks.size(); ++stage, width *= 2) {
    for (uint32_t block = 0; block < kBlocks[stage]; ++block) {
      const uint32_t stride = stage > 0 && block == 0 ? 2 : 1, out = kExpansion * width;
      add_conv(table, 1, 1, in, width);
      add_conv(table, 3, stride, width, width);
      add_conv(table, 1, 1, width, out);
      if (block == 0) add_conv(table, 1, stride, in, out);
      in = out;
    }
  }
  table.linears = {{.in_features = in, .out_features = kClasses, .bias = true, .output = {}}};
  return table;
}

// Groups lie within a filter, so that the stem's 3 x 7 x 7 weights need another.
uint32_t group_of(const tinyruntime::NetworkTensor& tensor) {
  if (tensor.part == tinyruntime::TensorPart::bias) return static_cast<uint32_t>(tensor.elements());
  const uint64_t filter = tensor.elements() / tensor.shape[0];
  return filter % kDefaultGroup == 0 ? kDefaultGroup : static_cast<uint32_t>(filter);
}

}  // namespace

ModelDescription decoder(Format format, const StoredAs& matrices) { return DecoderBuilder(format, matrices).build(); }

ModelDescription encoder(Dtype matrices) { return EncoderBuilder(matrices).build(); }

ModelDescription network(NetworkKind kind) {
  ModelDescription description;
  description.format = Format::tinyruntime;
  description.layers = resnet50(kind);
  const auto graph =
      tinyruntime::network_of(static_cast<uint32_t>(description.layers->convs.size()), tinyruntime::Tail::plain);
  for (tinyruntime::NetworkTensor& tensor : tinyruntime::network_tensors(*description.layers, *graph)) {
    TensorInfo info;
    if (kind == NetworkKind::dq8) {
      info.quantization = {.scheme = Scheme::group_int8, .block = group_of(tensor), .scale_dtype = Dtype::f32};
    }
    info.name = std::move(tensor.name);
    info.shape = std::move(tensor.shape);
    description.tensors.push_back(std::move(info));
  }
  return description;
}

}  // namespace quintet::bench
