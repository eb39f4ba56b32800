#include "formats/gguf/pooling.h"

#include <iterator>
#include <string>

namespace quintet::gguf {
namespace {

// By the number of llama.cpp's enumeration (include/llama.h, llama_pooling_type).
constexpr std::optional<Pooling> kTypes[] = {std::nullopt, Pooling::mean, Pooling::cls, Pooling::last};
constexpr uint64_t kRank = 4;

}  // namespace

Result<SentenceConfig> read_pooling(const ModelDescription& description) {
  SentenceConfig config;
  const std::string key = description.architecture + ".pooling_type";
  const Json* value = description.metadata.find(key);
  if (!value) return config;
  const auto type = value->as_uint();
  if (type == kRank) return unsupported_error(key + " is 4: a reranker is read by Reranker, not by Embedder");
  if (!type || *type >= std::size(kTypes)) {
    return unsupported_error(key + " is " + write_json(*value) + "; supported are 0 to 3");
  }
  config.pooling = kTypes[*type];
  return config;
}

}  // namespace quintet::gguf
