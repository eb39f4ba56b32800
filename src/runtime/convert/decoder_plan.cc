// Conversion of a decoder to AMB or ALT.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "architectures/decoder/decoder.h"
#include "architectures/decoder/tensor_names.h"
#include "base/hash.h"
#include "base/result.h"
#include "formats/amb/layout.h"
#include "formats/amb/token_rules.h"
#include "formats/amb/tokenizer_config.h"
#include "formats/huggingface/folder.h"
#include "formats/special_tokens.h"
#include "runtime/convert/plan.h"
#include "runtime/inspect/describe.h"
#include "runtime/kv/model_identity.h"
#include "runtime/model_folder/chat_templates.h"
#include "runtime/tokenize/token_types.h"
#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

constexpr uint32_t kDefaultBlock = 32;
// Codes and scales take less in longer blocks, which leaves more of the budget for the values.
constexpr uint32_t kDefaultAdaptiveBlock = 64;
constexpr double kDefaultAdaptiveBits = 5;

struct AmbQuantization {
  Quantize quantize;
  Scheme scheme;
};
constexpr AmbQuantization kAmbQuantizations[] = {
    {Quantize::int8, Scheme::int8},
    {Quantize::int4, Scheme::int4},
    {Quantize::int5, Scheme::int5},
    {Quantize::int4_block, Scheme::int4_block},
    {Quantize::int5_block, Scheme::int5_block},
    {Quantize::adaptive, Scheme::adaptive},
};

Scheme amb_scheme(Quantize quantize) {
  for (const AmbQuantization& row : kAmbQuantizations) {
    if (row.quantize == quantize) return row.scheme;
  }
  return Scheme::none;
}

Quantization wanted_quantization(const ConvertOptions& options) {
  const Scheme scheme = amb_scheme(options.quantize);
  const uint32_t block = scheme == Scheme::adaptive ? kDefaultAdaptiveBlock : kDefaultBlock;
  return {.scheme = scheme,
          .block = static_cast<uint32_t>(options.group_size.value_or(block)),
          .scale_dtype = options.scale_dtype.value_or(Dtype::f16)};
}

StoredType amb_blocks(Scheme scheme, uint32_t block, Dtype scale_dtype) {
  return {.dtype = Dtype::f32, .quantization = {.scheme = scheme, .block = block, .scale_dtype = scale_dtype}};
}

// The closest equivalent of a type of another format: the same values if AMB has them, else the same number of bits.
StoredType nearest_amb_type(const TensorInfo& info) {
  const Quantization& from = info.quantization;
  const Codec codec = codec_of(from.scheme);
  if (codec == Codec::amb) return stored_type(info);
  if (codec == Codec::alt && !from.asymmetric) {
    return amb_blocks(bits_of(from.scheme) == 8 ? Scheme::int8 : Scheme::int4, 0, Dtype::f32);
  }
  const Scheme nearest = block_type_field<&BlockType::nearest_amb>(from.scheme);
  if (nearest != Scheme::none) return amb_blocks(nearest, kDefaultBlock, Dtype::f16);
  return plain_type(info, {}, {Dtype::f32, Dtype::f16, Dtype::bf16});
}

// Norms and biases are few and sensitive, so only matrices lose precision.
bool loses_precision(const TensorInfo& info) {
  return info.shape.size() == 2 && decoder::is_huggingface_matrix(info.name);
}

bool is_vocabulary_matrix(std::string_view name) {
  return name.ends_with("embed_tokens.weight") || name.ends_with("lm_head.weight");
}

// The size of `adaptive` tensors is set in `bytes`.
Result<StoredType> amb_type(const TensorInfo& info, const ConvertOptions& options, uint64_t& bytes) {
  bytes = info.bytes;
  if (options.quantize == Quantize::keep || (options.quantize != Quantize::none && !loses_precision(info))) {
    return nearest_amb_type(info);
  }
  const Quantization quantization = wanted_quantization(options);
  if (quantization.scheme == Scheme::none) return plain_type(info, options, {});
  if (quantization.scheme == Scheme::adaptive) {
    const auto size = adaptive_bytes(quantization, info.elements(), options.bits.value_or(kDefaultAdaptiveBits));
    if (!size) {
      return in_tensor(input_error(Reason::out_of_range, "blocks of {}; adaptive precision needs a multiple of 8",
                                   quantization.block),
                       info.name);
    }
    bytes = *size;
  }
  return StoredType{.dtype = Dtype::f32, .quantization = quantization};
}

StoredType alt_type(const TensorInfo& info, const ConvertOptions& options) {
  if (options.quantize == Quantize::keep) {
    const Scheme scheme = info.quantization.scheme;
    if (codec_of(scheme) == Codec::alt) return stored_type(info);
    return plain_type(info, options, {Dtype::f32, Dtype::f16});
  }
  if (options.quantize == Quantize::none) return {.dtype = Dtype::f32};
  if (!loses_precision(info)) return plain_type(info, {}, {Dtype::f32, Dtype::f16});
  if (options.quantize == Quantize::f16) return {.dtype = Dtype::f16};
  // One scale for a whole vocabulary is too coarse in 4 bits.
  const bool eight = options.quantize == Quantize::int8 || is_vocabulary_matrix(info.name);
  return {.dtype = Dtype::f32, .quantization = {.scheme = eight ? Scheme::qint8 : Scheme::qint4_packed}};
}

// The requested quantization in the config of an AMB file; null if there is none.
Json amb_quant_config(const ConvertOptions& options) {
  const Quantization quantization = wanted_quantization(options);
  if (quantization.scheme == Scheme::none) return nullptr;
  Json quant = Json::object();
  quant.append("type", block_type_field<&BlockType::amb_config>(quantization.scheme));
  quant.append("block_size", uint64_t{quantization.block});
  quant.append("scale_type", quantization.scale_dtype == Dtype::f16 ? "fp16" : "fp32");
  return quant;
}

// A string of the source's metadata, under the first name that exists.
std::string text_of(const Json& metadata, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const Json* value = metadata.find(name);
    if (value && value->as_string()) return *value->as_string();
  }
  return {};
}

// General metadata has different names in each format: AMB, ALT, GGUF.
struct About {
  std::string name, author, description, license, created;
};

About about(const Json& metadata) {
  return {.name = std::string(model_name(metadata)),
          .author = text_of(metadata, {"creator", "author", "general.author", "general.organization"}),
          .description = text_of(metadata, {"description", "general.description"}),
          .license = text_of(metadata, {"license", "general.license"}),
          .created = text_of(metadata, {"created", "created_at"})};
}

Json amb_metadata(const About& about, const std::string& architecture) {
  Json metadata = Json::object();
  const auto add = [&metadata](const char* key, const std::string& value) {
    if (!value.empty()) metadata.append(key, value);
  };
  add("name", about.name);
  add("family", architecture);
  add("creator", about.author);
  add("description", about.description);
  add("license", about.license);
  add("created", about.created);
  return metadata;
}

// The version 5 UUID (RFC 9562, 5.5) of a name in the URL namespace, so that a model always has the same.
std::string uuid_of(std::string_view name) {
  constexpr std::string_view kUrls("\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  constexpr size_t kBytes = 16, kVersionAt = 6, kVariantAt = 8;
  const auto hash = sha1(formatted("{}{}", kUrls, name));
  std::string text;
  for (size_t i = 0; i < kBytes; ++i) {
    unsigned byte = std::to_integer<unsigned>(hash[i]);
    if (i == kVersionAt) byte = (byte & 0x0f) | 0x50;
    if (i == kVariantAt) byte = (byte & 0x3f) | 0x80;
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

// Unknown values are left to the writer.
Json alt_metadata(const About& about, const DecoderConfig& config) {
  Json metadata = Json::object();
  const auto add = [&metadata](const char* key, const std::string& value) {
    if (!value.empty()) metadata.append(key, value);
  };
  add("model_type", config.architecture);
  add("base_model", about.name);
  add("author", about.author);
  add("created_at", about.created);
  add("last_modified", about.created);
  add("license", about.license);
  add("uuid", uuid_of(kv::fingerprint(config)));
  return metadata;
}

// As in tokenizer_config.json: one template, or a list of those with names.
void copy_chat_templates(const Json& from, Json& to) {
  const Json templates = chat_templates(from);
  const Json::Object& all = *templates.as_object();
  if (all.empty()) return;
  if (all.size() == 1 && all.front().name == "default") return to.append("chat_template", all.front().value);
  Json list = Json::array();
  for (const auto& [name, value] : all) {
    Json named = Json::object();
    named.append("name", name);
    named.append("template", value);
    list.push_back(std::move(named));
  }
  to.append("chat_template", std::move(list));
}

// A model that is converted to another format must be complete; a file that keeps its format may contain anything.
Result<DecoderConfig> checked_config(const SourceModel& source) {
  Result<DecoderConfig> config = *source.decoder_config;
  if (!config) return config;
  ModelDescription described = source.description;
  for (const SourceTensor& tensor : source.tensors) described.tensors.push_back(tensor.info);
  QUINTET_CHECK(check_decoder(*config, described));
  return config;
}

// The types that a reader of AMB deduces.
std::vector<PieceType> implied_token_types(TokenizerDescription tokenizer) {
  if (!tokenizer.bpe()) return {};
  tokenizer.piece_types = guess_bpe_token_types(tokenizer);
  complete_end_tokens(tokenizer);
  return std::move(tokenizer.piece_types);
}

Status describe_as_amb(const SourceModel& source, ModelDescription& out) {
  QUINTET_TRY(const DecoderConfig config, checked_config(source));
  out.metadata = amb_metadata(about(source.description.metadata), config.architecture);
  copy_chat_templates(source.description.metadata, out.metadata);
  out.config = amb_config(config);
  const TokenizerDescription& tokenizer = source.description.tokenizer;
  if (tokenizer.bpe() && !tokenizer.bpe()->word_suffix.empty()) {
    return unsupported_error("AMB stores no end_of_word_suffix; TextGenerator loads this model as it is");
  }
  amb::put_text_rules(tokenizer, out.metadata, out.config);
  amb::put_token_rules(tokenizer, implied_token_types(tokenizer), out.config);
  out.flags = amb::kHasChecksum;
  return {};
}

Status describe_as_alt(const SourceModel& source, ModelDescription& out) {
  QUINTET_TRY(const DecoderConfig config, checked_config(source));
  if (!are_ends_implied(source.description.tokenizer)) {
    return unsupported_error("the model has several end-of-sequence tokens; ALT supports only one, AMB supports all");
  }
  out.metadata = alt_metadata(about(source.description.metadata), config);
  QUINTET_TRY(out.config, alt_parameters(config));
  out.config.set("seq_len", config.max_seq_len);
  return {};
}

void set_quant(Json& config, const ConvertOptions& options) {
  if (options.quantize == Quantize::keep) return;
  Json quant = amb_quant_config(options);
  if (quant.is_null()) {
    config.remove("quant");
  } else {
    config.set("quant", std::move(quant));
  }
}

Status add_job(const SourceTensor& tensor, std::string name, const ConvertOptions& options, Plan& plan) {
  Job job{.source = tensor, .output = {}};
  TensorInfo named = tensor.info;
  named.name = std::move(name);
  StoredType type;
  if (options.to == Format::amb) {
    QUINTET_TRY(type, amb_type(named, options, job.output.bytes));
  } else {
    type = alt_type(named, options);
  }
  job.output.name = std::move(named.name);
  job.output.shape = tensor.info.shape;
  if (tensor.order.is_transposed) std::ranges::reverse(job.output.shape);
  job.output.dtype = type.dtype;
  job.output.quantization = type.quantization;
  plan.jobs.push_back(std::move(job));
  return {};
}

// The matrices of all experts in one tensor, as a tensor for each. Empty for any other tensor, or if the output does
// not quantize them: only quantized ones must be separate tensors (docs/formats/amb.md, "Weights").
Result<std::vector<Job>> jobs_of_experts(const SourceModel& source, const SourceTensor& tensor,
                                         const ConvertOptions& options) {
  Plan split;
  const decoder::TensorNames names(source.description);
  const TensorInfo& all = tensor.info;
  auto ref = names.ref_of(all.name);
  if (options.to != Format::amb || !ref || !ref->has_all_experts() || all.shape.size() != 3) return split.jobs;
  const uint64_t experts = all.shape[0];
  const bool has_parts = experts != 0 && experts <= kMaxExperts && all.bytes % experts == 0 && all.scales_bytes == 0;
  if (!has_parts || codec_of(all.quantization.scheme) == Codec::amb) return split.jobs;
  SourceTensor one = tensor;
  one.info.shape.erase(one.info.shape.begin());
  one.info.bytes = all.bytes / experts;
  for (uint32_t expert = 0; expert < experts; ++expert) {
    ref->expert = expert;
    QUINTET_CHECK(add_job(one, names.huggingface_name(*ref), options, split));
    if (!split.jobs.back().output.quantized()) return std::vector<Job>();
    one.info.offset += one.info.bytes;
  }
  return split.jobs;
}

Status add_jobs(const SourceModel& source, const SourceTensor& tensor, const ConvertOptions& options, Plan& plan) {
  if (source.origin == Origin::hugging_face && huggingface::is_ignored_tensor(tensor.info.name)) return {};
  QUINTET_TRY(std::vector<Job> experts, jobs_of_experts(source, tensor, options));
  if (experts.empty()) return add_job(tensor, source.output_name(tensor.info), options, plan);
  std::ranges::move(experts, std::back_inserter(plan.jobs));
  return {};
}

}  // namespace

Result<Plan> plan_decoder(const SourceModel& source, const ConvertOptions& options) {
  Plan plan{.description = source.description, .jobs = {}};
  plan.description.format = options.to;
  if (source.description.format != options.to) {
    QUINTET_CHECK(options.to == Format::amb ? describe_as_amb(source, plan.description)
                                            : describe_as_alt(source, plan.description));
  }
  if (options.to == Format::amb) set_quant(plan.description.config, options);
  for (const SourceTensor& tensor : source.tensors) QUINTET_CHECK(add_jobs(source, tensor, options, plan));
  return plan;
}

}  // namespace quintet
