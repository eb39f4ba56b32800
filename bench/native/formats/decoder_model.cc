#include <string>
#include <utility>

#include "architectures/decoder/config.h"
#include "bench/native/formats/models.h"
#include "tensor/codecs/payload.h"

namespace quintet::bench {
namespace {

constexpr uint64_t kVocabulary = 4096, kWidth = 512, kHeads = 8, kFeedForward = 1536;
constexpr uint16_t kAmbChecksum = 1;  // as convert writes it

class Builder {
 public:
  Builder(Format format, const StoredAs& matrices) : matrices_(matrices) { description_.format = format; }

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

}  // namespace

ModelDescription decoder(Format format, const StoredAs& matrices) { return Builder(format, matrices).build(); }

}  // namespace quintet::bench
