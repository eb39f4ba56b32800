#include "formats/gguf/pooling.h"

#include <iterator>
#include <string>

namespace quintet::gguf {
namespace {

// Kinds by the number of llama.cpp's enumeration (include/llama.h, llama_pooling_type).
constexpr std::optional<Pooling> kTypes[] = {std::nullopt, Pooling::mean, Pooling::cls, Pooling::last};
constexpr uint64_t kRank = 4;

// Numbered as the folders of sentence-transformers. Without biases and activations.
constexpr std::string_view kDense[] = {"dense_2", "dense_3"};

Status read_dense(const ModelDescription& description, std::vector<DenseModule>& modules) {
  for (const std::string_view name : kDense) {
    const TensorInfo* info = description.find_tensor(formatted("{}.weight", name));
    if (!info) continue;
    if (info->shape.size() != 2 || info->shape[0] == 0 || info->shape[0] > kMaxWidth) {
      return tensor_error(Code::format, Reason::mismatch, *info, "shape {}, expected a matrix",
                          shape_text(info->shape));
    }
    modules.push_back({.path = std::string(name), .in = info->shape[1], .out = info->shape[0], .has_bias = false});
  }
  return {};
}

}  // namespace

Result<SentenceConfig> read_pooling(const ModelDescription& description) {
  SentenceConfig config;
  QUINTET_CHECK(read_dense(description, config.dense));
  const std::string key = description.architecture + ".pooling_type";
  const Json* value = description.metadata.find(key);
  if (!value) return config;
  const auto type = value->as_uint();
  if (type == kRank) return unsupported_error("{} is 4: a reranker is read by Reranker, not by Embedder", key);
  if (!type || *type >= std::size(kTypes)) {
    return unsupported_error("{} is {}; supported are 0 to 3", key, write_json(*value));
  }
  config.pooling = kTypes[*type];
  return config;
}

}  // namespace quintet::gguf
