#include "architectures/encoder/static_embedding.h"

#include <array>
#include <string>

namespace quintet::encoder {
namespace {

constexpr std::string_view kModel2Vec = "model2vec";

struct StaticName {
  std::string_view name;
  StaticPart part;
};
// The second is the name of the first in sentence-transformers.
constexpr StaticName kStaticNames[] = {{"embeddings", StaticPart::embeddings},
                                       {"embedding.weight", StaticPart::embeddings},
                                       {"weights", StaticPart::weights},
                                       {"mapping", StaticPart::mapping}};

using StaticTensors = std::array<const TensorInfo*, 3>;

Result<StaticTensors> static_tensors(const std::vector<TensorInfo>& tensors) {
  StaticTensors found = {};
  for (const TensorInfo& info : tensors) {
    const auto part = static_part_of(info.name);
    if (!part) continue;
    const TensorInfo*& slot = found[static_cast<size_t>(*part)];
    if (slot) {
      return tensor_error(Code::format, Reason::duplicate, info, "the same part of the model as {}", slot->name);
    }
    const size_t dimensions = *part == StaticPart::embeddings ? 2 : 1;
    if (info.shape.size() != dimensions || info.elements() == 0) {
      return tensor_error(Code::format, Reason::mismatch, info, "shape {}, expected {}", shape_text(info.shape),
                          dimensions == 2 ? "a matrix" : "a vector");
    }
    slot = &info;
  }
  return found;
}

}  // namespace

std::optional<StaticPart> static_part_of(std::string_view name) {
  for (const StaticName& row : kStaticNames) {
    if (row.name == name) return row.part;
  }
  return std::nullopt;
}

bool is_model2vec_json(const Json& config) {
  const std::string* type = config.get("model_type").as_string();
  return type && *type == kModel2Vec;
}

Result<EncoderConfig> read_static_config(const std::vector<TensorInfo>& tensors, uint64_t tokens) {
  QUINTET_TRY(const StaticTensors found, static_tensors(tensors));
  const auto& [embeddings, weights, mapping] = found;
  if (!embeddings) return missing_tensor("embeddings", "the table of static embeddings is missing");
  const TensorInfo& of_tokens = mapping ? *mapping : *embeddings;
  const uint64_t count = of_tokens.shape[0], hidden = embeddings->shape[1];
  if (count > kMaxTokens || embeddings->shape[0] > kMaxTokens || hidden > kMaxWidth) {
    return tensor_error(Code::unsupported, Reason::limit, *embeddings, "shape {}; supported are {} rows of {}",
                        shape_text(embeddings->shape), kMaxTokens, kMaxWidth);
  }
  if (count < tokens) {
    return tensor_error(Code::format, Reason::mismatch, of_tokens, "{} rows, but the vocabulary has {} tokens", count,
                        tokens);
  }
  if (weights && weights->shape[0] != count) {
    return tensor_error(Code::format, Reason::mismatch, *weights, "{} weights of {} tokens", weights->shape[0], count);
  }
  EncoderConfig config;
  config.model_type = kModel2Vec;
  config.n_vocab = count;
  config.n_embd = config.embedding_width = hidden;
  config.n_heads = 1;
  config.max_seq_len = kMaxStaticTokens;
  return config;
}

}  // namespace quintet::encoder
