#include "runtime/convert/decoder_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "architectures/decoder/decoder.h"
#include "base/sha1.h"
#include "formats/amb/tokenizer_config.h"
#include "formats/end_tokens.h"
#include "formats/huggingface/folder.h"
#include "runtime/convert/decoder_types.h"
#include "runtime/inspect/model_name.h"
#include "runtime/kv/model_identity.h"

namespace quintet {
namespace {

constexpr uint32_t kAmbCrc = 1;

// Text of the source's metadata, under the first of the names that it has.
std::string text_of(const Json& metadata, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const Json* value = metadata.find(name);
    if (value && value->as_string()) return *value->as_string();
  }
  return {};
}

// What a model says about itself has other names in each format: AMB's, ALT's, GGUF's.
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

// The UUID of version 5 (RFC 9562, 5.5) of a name in the namespace of URLs, so that one model always has the same.
std::string uuid_of(std::string_view name) {
  constexpr std::string_view kUrls("\x6b\xa7\xb8\x11\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  constexpr size_t kBytes = 16, kVersionAt = 6, kVariantAt = 8;
  const auto hash = sha1(std::string(kUrls) + std::string(name));
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

// What is not known is left to the writer.
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

// In the names of Hugging Face and of GGUF; AMB's is the former.
void copy_chat_template(const Json& from, Json& to) {
  const std::string key = "chat_template";
  const Json* value = from.find(key);
  if (!value) value = from.find("tokenizer." + key);
  if (value) to.append(key, *value);
}

// A model that becomes another format must be one; a file that stays in its own may hold anything.
Result<DecoderConfig> checked_config(const SourceModel& source) {
  Result<DecoderConfig> config = *source.decoder_config;
  if (!config) return config;
  ModelDescription described = source.description;
  for (const SourceTensor& tensor : source.tensors) described.tensors.push_back(tensor.info);
  QUINTET_CHECK(check_decoder(*config, described));
  return config;
}

Status describe_as_amb(const SourceModel& source, ModelDescription& out) {
  QUINTET_TRY(const DecoderConfig config, checked_config(source));
  out.metadata = amb_metadata(about(source.description.metadata), config.architecture);
  copy_chat_template(source.description.metadata, out.metadata);
  out.config = amb_config(config);
  amb::put_text_rules(source.description.tokenizer, out.metadata, out.config);
  out.flags = kAmbCrc;
  return {};
}

Status describe_as_alt(const SourceModel& source, ModelDescription& out) {
  QUINTET_TRY(const DecoderConfig config, checked_config(source));
  if (!are_ends_implied(source.description.tokenizer)) {
    return unsupported_error("several tokens end an answer; ALT names one of them, and AMB all");
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

Status add_job(const SourceModel& source, const SourceTensor& tensor, const ConvertOptions& options, Plan& plan) {
  if (source.origin == Origin::hugging_face && huggingface::is_ignored_tensor(tensor.info.name)) return {};
  Job job{.source = tensor, .output = {}};
  TensorInfo named = tensor.info;
  named.name = source.output_name(tensor.info);
  StoredType type;
  if (options.to == Format::amb) {
    QUINTET_TRY(type, amb_type(named, options, job.output.bytes));
  } else {
    type = alt_type(named, options);
  }
  job.output.name = std::move(named.name);
  job.output.shape = tensor.info.shape;
  job.output.dtype = type.dtype;
  job.output.quantization = type.quantization;
  plan.jobs.push_back(std::move(job));
  return {};
}

}  // namespace

Result<Plan> plan_decoder(const SourceModel& source, const ConvertOptions& options) {
  Plan plan;
  plan.description = source.description;
  plan.description.format = options.to;
  if (source.description.format != options.to) {
    QUINTET_CHECK(options.to == Format::amb ? describe_as_amb(source, plan.description)
                                            : describe_as_alt(source, plan.description));
  }
  if (options.to == Format::amb) set_quant(plan.description.config, options);
  for (const SourceTensor& tensor : source.tensors) QUINTET_CHECK(add_job(source, tensor, options, plan));
  return plan;
}

}  // namespace quintet
