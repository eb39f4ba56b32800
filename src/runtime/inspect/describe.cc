#include "runtime/inspect/describe.h"

#include <algorithm>
#include <utility>

#include "architectures/decoder/tensor_names.h"
#include "base/decimal.h"
#include "runtime/inspect/memory_estimate.h"
#include "runtime/inspect/model_title.h"
#include "runtime/tokenize/describe_tokenizer.h"
#include "runtime/tokenize/tokenizer_bytes.h"
#include "tensor/block_types.h"

namespace quintet {
namespace {

// The metadata keys of a .weights file that are numbers of the model's configuration.
constexpr std::string_view kConfigKeys[] = {"embedding_dim",       "vocab_size",  "num_layers",
                                            "num_attention_heads", "hidden_size", "intermediate_size",
                                            "max_position_emb"};

// GGUF and Hugging Face have their own names; all decoders are shown under AMB's.
Json config_of(const ModelDescription& description) {
  if (description.format == Format::gguf) {
    const auto config = read_decoder_config(description);
    return config ? amb_config(*config) : Json::object();
  }
  if (description.format != Format::embd) return description.config;
  Json config = Json::object();
  for (const std::string_view key : kConfigKeys) {
    const Json* value = description.metadata.find(key);
    const std::string* text = value == nullptr ? nullptr : value->as_string();
    const auto number = text == nullptr ? std::nullopt : parse_natural(*text);
    if (number) config.append(key, *number);
  }
  return config;
}

// The parameters of the scheme.
void append_quantization(const Quantization& quantization, Json& json) {
  switch (codec_of(quantization.scheme)) {
    case Codec::amb:
      json.append("block", quantization.block);
      json.append("scaleType", quantization.scale_dtype == Dtype::f16 ? "FP16" : "FP32");
      break;
    case Codec::alt:
      json.append("delta", double{quantization.delta});
      json.append("min", double{quantization.min});
      json.append("max", double{quantization.max});
      break;
    case Codec::group_int8:
      json.append("block", quantization.block);
      json.append("asymmetric", quantization.asymmetric);
      break;
    case Codec::tensor_int:
      json.append("scale", double{quantization.scale});
      json.append("zeroPoint", quantization.zero_point);
      break;
    case Codec::none:
    case Codec::plain:
    case Codec::gguf:
      break;
  }
}

Json tensor_of(const TensorInfo& info, std::string name, Format format) {
  Json shape = Json::array();
  for (const uint64_t dimension : info.shape) shape.push_back(dimension);
  Json json = Json::object();
  json.append("name", std::move(name));
  json.append("dtype", dtype_name(format, info));
  json.append("shape", std::move(shape));
  json.append("offset", info.offset);
  json.append("bytes", info.bytes);
  append_quantization(info.quantization, json);
  return json;
}

// Under the names of the file.
Json tensors_of(const ModelDescription& description) {
  Json tensors = Json::array();
  for (const TensorInfo& info : description.tensors) {
    tensors.push_back(tensor_of(info, info.name, description.format));
  }
  return tensors;
}

// Under Hugging Face's names, if the tensors are those of a decoder.
Json decoder_tensors_of(const ModelDescription& description) {
  const decoder::TensorNames names(description);
  Json tensors = Json::array();
  for (const TensorInfo& info : description.tensors) {
    tensors.push_back(tensor_of(info, names.huggingface_name(info.name), description.format));
  }
  return tensors;
}

Json memory_of(uint64_t weights, uint64_t load) {
  Json memory = Json::object();
  memory.append("weights", weights);
  memory.append("load", load);
  return memory;
}

// For formats with a single version number, a plain number.
void append_version(const ModelDescription& description, Json& json) {
  if (description.format == Format::safetensors || description.format == Format::tinyruntime) return;
  if (description.format != Format::embd) {
    json.append("version", unsigned{description.version_major});
    return;
  }
  Json version = Json::array();
  version.push_back(unsigned{description.version_major});
  version.push_back(unsigned{description.version_minor});
  json.append("version", std::move(version));
}

// `memory` is that of a model; absent if the file contains none.
Json describe_parts(const ModelDescription& description, Json config, Json tensors, Json tokenizer,
                    std::optional<Json> memory, std::string title = {}) {
  Json json = Json::object();
  json.append("format", name_of(description.format));
  if (!title.empty()) json.append("title", std::move(title));
  json.append("kind", description.kind);
  append_version(description, json);
  if (description.format == Format::embd || description.format == Format::amb) json.append("flags", description.flags);
  if (!description.architecture.empty()) json.append("architecture", description.architecture);
  if (description.file_size) json.append("file_size", *description.file_size);
  json.append("metadata", description.metadata);
  json.append("config", std::move(config));
  json.append("tokenizer", std::move(tokenizer));
  json.append("tensors", std::move(tensors));
  if (memory) json.append("memory", *std::move(memory));
  if (!description.warnings.empty()) {
    Json warnings = Json::array();
    for (const std::string& warning : description.warnings) warnings.push_back(warning);
    json.append("warnings", std::move(warnings));
  }
  return json;
}

// A network of images, without its own tokenizer.
Json describe_network(const ModelDescription& description, uint64_t weights, uint64_t work) {
  Json tokenizer = Json::object();
  tokenizer.append("type", "none");
  return describe_parts(description, description.config, tensors_of(description), std::move(tokenizer),
                        memory_of(weights, weights + work));
}

// Adds the number of weights in all tensors, and of those that one token is computed from: in a mixture of experts, not
// all.
void append_parameters(const ModelDescription& description, const DecoderConfig& config, Json& json) {
  const decoder::TensorNames names(description);
  uint64_t total = 0, of_experts = 0;
  for (const TensorInfo& info : description.tensors) {
    total += info.elements();
    const auto ref = names.ref_of(info.name);
    if (ref && is_of_expert(ref->kind())) of_experts += info.elements();
  }
  const uint64_t experts = std::max<uint64_t>(config.n_experts, 1);
  Json parameters = Json::object();
  parameters.append("total", total);
  parameters.append("active", total - of_experts + of_experts / experts * std::min(config.n_experts_used, experts));
  json.append("parameters", std::move(parameters));
}

// `bytes`: of weights and workspace.
Json describe_encoder(const TextEmbedder::Model& model, uint64_t bytes) {
  const uint64_t tokens = model.codec.vocabulary_size();
  return describe_parts(model.description, embd_sizes(model.config), tensors_of(model.description),
                        describe_tokenizer(model.description.tokenizer, tokens),
                        memory_of(model.weights.bytes(), bytes + vocabulary_bytes(tokens)));
}

}  // namespace

Json describe(const ModelDescription& description, const GeneratorOptions& load) {
  std::optional<Json> memory;
  if (!description.tensors.empty()) {
    const MemoryEstimate estimate = estimate_memory(description, load);
    memory = memory_of(estimate.weights, load_bytes(estimate, tokenizer_bytes(description.tokenizer)));
  }
  Json json = describe_parts(description, config_of(description), decoder_tensors_of(description),
                             describe_tokenizer(description.tokenizer, description.tokenizer.size()), memory,
                             model_title(description));
  if (memory) append_parameters(description, read_decoder_config(description).value_or(DecoderConfig()), json);
  return json;
}

Json describe(const TextEmbedder& embedder) { return describe_encoder(embedder.model(), embedder.memory_bytes()); }

Json describe(const Labeler& labeler) { return describe_encoder(labeler.model(), labeler.memory_bytes()); }
Json describe(const Reranker& reranker) { return describe_encoder(reranker.model(), reranker.memory_bytes()); }

Json describe(const GeneratorModel& model) {
  const uint64_t weights = model.weights.bytes();
  const uint64_t cache = kv_cache_bytes(model.config, model.kv_types, model.context_length).value_or(0);
  const bool has_amb_names = model.description.format == Format::amb || model.description.format == Format::alt;
  Json config = has_amb_names ? model.description.config : amb_config(model.config);
  Json json = describe_parts(model.description, std::move(config), decoder_tensors_of(model.description),
                             describe_tokenizer(model.description.tokenizer, model.vocabulary_size),
                             memory_of(weights, weights + cache + vocabulary_bytes(model.vocabulary_size)),
                             model_title(model.description));
  append_parameters(model.description, model.config, json);
  return json;
}

Json describe(const ImageClassifier& classifier) {
  const vision::ImageNetwork& network = classifier.network();
  return describe_network(classifier.description(), network.bytes(), network.work_bytes());
}

Json describe(const ImageEmbedder& embedder) {
  return describe_network(embedder.description(), embedder.bytes(), embedder.work_bytes());
}

std::string_view model_name(const Json& metadata) {
  for (const std::string_view key : {"name", "base_model", "general.name"}) {
    const Json* value = metadata.find(key);
    if (value && value->as_string()) return *value->as_string();
  }
  return {};
}

}  // namespace quintet
