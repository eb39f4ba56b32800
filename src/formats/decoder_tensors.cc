#include "formats/decoder_tensors.h"

#include <array>
#include <string>

#include "formats/decoder_fields.h"

namespace quintet {
namespace {

constexpr std::string_view kEmbedding = "model.embed_tokens";
constexpr std::string_view kLayers = "model.layers.";
constexpr std::string_view kOutput = "lm_head";
constexpr std::array<std::string_view, 2> kFinalNorms = {"model.norm", "model.final_layernorm"};
// What a layer may hold; each with a weight, and with a bias or without.
constexpr std::array<std::string_view, 14> kLayerParts = {
    "input_layernorm",  "post_attention_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
    "self_attn.o_proj", "self_attn.qkv_proj",       "self_attn.dense",  "mlp.gate_proj",    "mlp.up_proj",
    "mlp.down_proj",    "mlp.gate_up_proj",         "mlp.fc1",          "mlp.fc2",
};

class Checker {
 public:
  Checker(DecoderConfig& config, const std::vector<TensorInfo>& tensors) : config_(config), tensors_(tensors) {}

  Status check() {
    QUINTET_CHECK(linear(std::string(kEmbedding), config_.n_vocab, config_.n_embd));
    QUINTET_CHECK(settle_feed_forward());
    for (uint64_t i = 0; i < config_.n_layers; ++i) {
      const std::string layer = std::string(kLayers) + std::to_string(i) + ".";
      QUINTET_CHECK(norm(layer + "input_layernorm"));
      QUINTET_CHECK(attention(layer + "self_attn."));
      QUINTET_CHECK(feed_forward(layer));
    }
    QUINTET_CHECK(norm(std::string(kFinalNorms[has(kFinalNorms[1]) ? 1 : 0])));
    return output();
  }

 private:
  bool has(std::string_view module) const { return tensors_.find(std::string(module) + ".weight") != nullptr; }

  // From the first layer's matrix that goes back from it, which has the width in every form.
  Status settle_feed_forward() {
    if (config_.n_ff != 0) return {};
    const std::string mlp = std::string(kLayers) + "0.mlp.";
    const std::string name = mlp + (has(mlp + "fc1") ? "fc2" : "down_proj") + ".weight";
    const TensorInfo* back = tensors_.find(name);
    if (!back) return missing(name);
    if (back->shape.size() != 2 || back->shape[1] == 0 || back->shape[1] > kMostWidth) {
      return mismatch(*back, "no matrix with a feed-forward width");
    }
    config_.n_ff = back->shape[1];
    return {};
  }

  Status attention(const std::string& part) const {
    const uint64_t q = config_.n_heads * config_.head_dim;
    const uint64_t kv = config_.n_kv_heads * config_.head_dim;
    if (has(part + "qkv_proj")) {
      QUINTET_CHECK(linear(part + "qkv_proj", q + 2 * kv, config_.n_embd));
    } else {
      QUINTET_CHECK(linear(part + "q_proj", q, config_.n_embd));
      QUINTET_CHECK(linear(part + "k_proj", kv, config_.n_embd));
      QUINTET_CHECK(linear(part + "v_proj", kv, config_.n_embd));
    }
    return linear(part + (has(part + "dense") ? "dense" : "o_proj"), config_.n_embd, q);
  }

  Status feed_forward(const std::string& layer) const {
    const std::string mlp = layer + "mlp.";
    if (has(mlp + "fc1")) {  // beside the attention, after the same norm
      QUINTET_CHECK(linear(mlp + "fc1", config_.n_ff, config_.n_embd));
      return linear(mlp + "fc2", config_.n_embd, config_.n_ff);
    }
    QUINTET_CHECK(norm(layer + "post_attention_layernorm"));
    if (has(mlp + "gate_up_proj")) {
      QUINTET_CHECK(linear(mlp + "gate_up_proj", 2 * config_.n_ff, config_.n_embd));
    } else {
      QUINTET_CHECK(linear(mlp + "gate_proj", config_.n_ff, config_.n_embd));
      QUINTET_CHECK(linear(mlp + "up_proj", config_.n_ff, config_.n_embd));
    }
    return linear(mlp + "down_proj", config_.n_embd, config_.n_ff);
  }

  // The matrix of a tied model is not looked at, if there is one.
  Status output() {
    if (!config_.tie_embeddings) config_.tie_embeddings = !has(kOutput);
    const std::string name(kOutput);
    if (*config_.tie_embeddings) return bias(name, config_.n_vocab);
    return linear(name, config_.n_vocab, config_.n_embd);
  }

  Status linear(const std::string& module, uint64_t rows, uint64_t cols) const {
    QUINTET_CHECK(weight(module, {rows, cols}));
    return bias(module, rows);
  }

  // With a bias it is a LayerNorm, without one an RMSNorm (RULINGS "AMB" 8).
  Status norm(const std::string& module) const {
    QUINTET_CHECK(weight(module, {config_.n_embd}));
    return bias(module, config_.n_embd);
  }

  Status weight(const std::string& module, const std::vector<uint64_t>& shape) const {
    const std::string name = module + ".weight";
    const TensorInfo* info = tensors_.find(name);
    return info ? expect(*info, shape) : missing(name);
  }

  Status bias(const std::string& module, uint64_t size) const {
    const TensorInfo* info = tensors_.find(module + ".bias");
    return info ? expect(*info, {size}) : Status();
  }

  static Status expect(const TensorInfo& info, const std::vector<uint64_t>& shape) {
    if (info.shape == shape) return {};
    return mismatch(info, "expected " + shape_text(shape));
  }

  static std::unexpected<Error> mismatch(const TensorInfo& info, std::string expected) {
    return fail({.code = Code::format,
                 .reason = Reason::mismatch,
                 .detail = "shape " + shape_text(info.shape) + ", " + std::move(expected),
                 .offset = info.offset,
                 .format = {},
                 .tensor = info.name});
  }

  static std::unexpected<Error> missing(std::string name) {
    return fail({.code = Code::format,
                 .reason = Reason::missing,
                 .detail = "a tensor of the decoder is missing",
                 .offset = {},
                 .format = {},
                 .tensor = std::move(name)});
  }

  DecoderConfig& config_;
  TensorLookup tensors_;
};

// "0.mlp.fc1" -> "mlp.fc1"; empty where no number comes first.
std::string_view part_of(std::string_view layer) {
  const size_t digits = layer.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || layer[digits] != '.') return {};
  return layer.substr(digits + 1);
}

}  // namespace

Status check_decoder_tensors(DecoderConfig& config, const std::vector<TensorInfo>& tensors) {
  return Checker(config, tensors).check();
}

bool is_decoder_tensor(std::string_view name) {
  if (name.ends_with(".weight")) {
    name.remove_suffix(7);
  } else if (name.ends_with(".bias")) {
    name.remove_suffix(5);
  } else {
    return false;
  }
  if (name == kEmbedding || name == kOutput || name == kFinalNorms[0] || name == kFinalNorms[1]) return true;
  if (!name.starts_with(kLayers)) return false;
  const std::string_view part = part_of(name.substr(kLayers.size()));
  for (const std::string_view known : kLayerParts) {
    if (part == known) return true;
  }
  return false;
}

}  // namespace quintet
