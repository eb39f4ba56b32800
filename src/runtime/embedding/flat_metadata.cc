#include "runtime/embedding/flat_metadata.h"

#include <algorithm>
#include <string>

#include "formats/bert_names.h"

namespace quintet {
namespace {

// Attention heads of a model whose file does not tell them: of 32 values, as in MiniLM, or one in a
// narrower model.
uint64_t usual_heads(uint64_t hidden) {
  constexpr uint64_t kUsualHeadDim = 32;
  return std::max<uint64_t>(hidden / kUsualHeadDim, 1);
}

Result<const TensorInfo*> matrix(const ModelDescription& description, std::string_view name) {
  const TensorInfo* info = description.find_tensor(name);
  if (info && info->shape.size() == 2) return info;
  return fail({.code = Code::format,
               .reason = Reason::missing,
               .detail = "a matrix that tells the model's sizes is missing",
               .offset = std::nullopt,
               .format = std::string(name_of(Format::weights)),
               .tensor = std::string(name)});
}

uint64_t count_layers(const ModelDescription& description) {
  uint64_t layers = 0;
  for (const TensorInfo& info : description.tensors) {
    if (const auto layer = layer_of(info.name)) layers = std::max<uint64_t>(layers, uint64_t{*layer} + 1);
  }
  return layers;
}

}  // namespace

Result<Json> flat_metadata(const ModelDescription& description, const Json& overrides) {
  QUINTET_TRY(const TensorInfo* words, matrix(description, kWordEmbeddings));
  QUINTET_TRY(const TensorInfo* positions, matrix(description, kPositionEmbeddings));
  QUINTET_TRY(const TensorInfo* intermediate, matrix(description, kFirstIntermediate));
  const uint64_t hidden = words->shape[1];
  const uint64_t heads = usual_heads(hidden);
  if (!overrides.find("num_attention_heads") && hidden % heads != 0) {
    return input_error(Reason::missing,
                       "the file does not tell its attention heads: give metadata num_attention_heads");
  }
  Json metadata = Json::object();
  metadata.append("model_name", "bert");
  metadata.append("model_version", "1.0.0");
  metadata.append("embedding_dim", std::to_string(hidden));
  metadata.append("vocab_size", std::to_string(words->shape[0]));
  metadata.append("num_layers", std::to_string(count_layers(description)));
  metadata.append("num_attention_heads", std::to_string(heads));
  metadata.append("hidden_size", std::to_string(hidden));
  metadata.append("intermediate_size", std::to_string(intermediate->shape[0]));
  metadata.append("max_position_emb", std::to_string(positions->shape[0]));
  metadata.append("created_at", "1970-01-01T00:00:00Z");
  return metadata;
}

}  // namespace quintet
