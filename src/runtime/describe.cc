#include "runtime/describe.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace quintet {
namespace {

// The metadata keys of a .weights file that are numbers of the model's configuration.
constexpr std::string_view kConfigKeys[] = {"embedding_dim",       "vocab_size",  "num_layers",
                                            "num_attention_heads", "hidden_size", "intermediate_size",
                                            "max_position_emb"};

// Memory that loading takes beside the weights: a vocabulary's strings and their index, about this much a token ...
constexpr uint64_t kBytesPerToken = 32;
// ... and the activations of one text of the default length, a few rows of the widest layer each.
constexpr uint64_t kActivationRows = 256;
constexpr uint64_t kActivationFloatsPerHidden = 12;

Json config_of(const ModelDescription& description) {
  Json config = Json::object();
  for (const std::string_view key : kConfigKeys) {
    const Json* value = description.metadata.find(key);
    const std::string* text = value == nullptr ? nullptr : value->as_string();
    uint64_t number = 0;
    if (text == nullptr) continue;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == text->data() + text->size()) config.append(std::string(key), number);
  }
  return config;
}

Json config_of(const bert::Config& config) {
  Json json = Json::object();
  json.append("vocab_size", uint64_t{config.vocab_size});
  json.append("num_layers", uint64_t{config.layers});
  json.append("num_attention_heads", uint64_t{config.heads});
  json.append("hidden_size", uint64_t{config.hidden});
  json.append("intermediate_size", uint64_t{config.intermediate});
  json.append("max_position_emb", uint64_t{config.max_positions});
  return json;
}

Json tokenizer_of(const TokenizerDescription& tokenizer, uint64_t size) {
  Json json = Json::object();
  if (tokenizer.type == TokenizerType::none) {
    json.append("type", "none");
    return json;
  }
  Json special = Json::object();
  const auto add = [&special](const char* name, const std::optional<uint32_t>& id) {
    if (id) special.append(name, *id);
  };
  add("bos", tokenizer.special.bos);
  add("eos", tokenizer.special.eos);
  add("pad", tokenizer.special.pad);
  add("unk", tokenizer.special.unk);
  add("cls", tokenizer.special.cls);
  add("sep", tokenizer.special.sep);
  add("mask", tokenizer.special.mask);
  json.append("type", "WordPiece");
  json.append("size", size);
  json.append("special", std::move(special));
  return json;
}

Json tensor_of(const TensorInfo& info, Format format) {
  Json shape = Json::array();
  for (const uint64_t dimension : info.shape) shape.push_back(dimension);
  Json json = Json::object();
  json.append("name", info.name);
  json.append("dtype", format == Format::weights ? weights_name_of(info.dtype) : name_of(info.dtype));
  json.append("shape", std::move(shape));
  json.append("offset", info.offset);
  json.append("bytes", info.bytes);
  return json;
}

// Weights are kept in the type of the file, packed once.
Json memory_of_loading(const ModelDescription& description) {
  uint64_t weights = 0;
  uint64_t hidden = 0;
  for (const TensorInfo& info : description.tensors) {
    weights += info.bytes;
    if (info.shape.size() == 2) hidden = std::max(hidden, std::min(info.shape[0], info.shape[1]));
  }
  Json memory = Json::object();
  memory.append("weights", weights);
  memory.append("load", weights + description.tokenizer.tokens.size() * kBytesPerToken +
                            kActivationRows * kActivationFloatsPerHidden * hidden * sizeof(float));
  return memory;
}

Json describe_parts(const ModelDescription& description, Json config, uint64_t vocabulary_size, Json memory) {
  Json tensors = Json::array();
  for (const TensorInfo& info : description.tensors) tensors.push_back(tensor_of(info, description.format));
  Json json = Json::object();
  json.append("format", name_of(description.format));
  json.append("kind", description.kind);
  if (description.format == Format::weights) {
    Json version = Json::array();
    version.push_back(unsigned{description.version_major});
    version.push_back(unsigned{description.version_minor});
    json.append("version", std::move(version));
    json.append("flags", description.flags);
  }
  if (description.file_size) json.append("file_size", *description.file_size);
  json.append("metadata", description.metadata);
  json.append("config", std::move(config));
  json.append("tokenizer", tokenizer_of(description.tokenizer, vocabulary_size));
  json.append("tensors", std::move(tensors));
  json.append("memory", std::move(memory));
  return json;
}

}  // namespace

Json describe(const ModelDescription& description) {
  return describe_parts(description, config_of(description), description.tokenizer.tokens.size(),
                        memory_of_loading(description));
}

Json describe(const TextEmbedder& embedder) {
  const TextEmbedder::Model& model = embedder.model();
  Json memory = Json::object();
  memory.append("weights", uint64_t{model.weights.bytes()});
  memory.append("load", uint64_t{embedder.memory_bytes() + model.tokenizer.memory_bytes()});
  return describe_parts(model.description, config_of(model.config), model.tokenizer.vocabulary_size(),
                        std::move(memory));
}

}  // namespace quintet
