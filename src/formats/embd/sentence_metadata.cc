#include "formats/embd/sentence_metadata.h"

#include <string>

#include "base/decimal.h"
#include "formats/model_description.h"

namespace quintet::embd {
namespace {

constexpr std::string_view kPooling = "pooling", kNormalize = "normalize", kIncludePrompt = "include_prompt",
                           kMaxLength = "max_seq_length", kPrompts = "prompts", kDefaultPrompt = "default_prompt_name";

Failure wrong(std::string_view key, std::string_view expected) {
  return format_error(Reason::malformed, 0, "metadata key {} is not {}", key, expected);
}

const std::string* text_of(const Json& metadata, std::string_view key) { return metadata.get(key).as_string(); }

Result<std::optional<bool>> flag_of(const Json& metadata, std::string_view key) {
  const std::string* text = text_of(metadata, key);
  if (!text) return std::nullopt;
  if (*text != "true" && *text != "false") return wrong(key, "true or false");
  return *text == "true";
}

Status read_length(const Json& metadata, std::optional<uint64_t>& length) {
  const std::string* text = text_of(metadata, kMaxLength);
  if (!text) return {};
  length = parse_natural(*text);
  if (!length || *length == 0 || *length > kMaxPositions) return wrong(kMaxLength, "a positive number");
  return {};
}

Status read_prompts(const Json& metadata, SentenceConfig& config) {
  if (const std::string* text = text_of(metadata, kPrompts)) {
    const auto prompts = parse_json(*text);
    if (!prompts || !prompts->as_object()) return wrong(kPrompts, "a JSON object");
    for (const Json::Member& prompt : *prompts->as_object()) {
      if (!prompt.value.as_string()) return wrong(kPrompts, "a JSON object of texts");
      config.prompts.append(prompt.name, prompt.value);
    }
  }
  const std::string* chosen = text_of(metadata, kDefaultPrompt);
  if (!chosen) return {};
  if (!config.prompts.find(*chosen)) return wrong(kDefaultPrompt, "the name of a prompt");
  config.default_prompt = *chosen;
  return {};
}

}  // namespace

Result<SentenceConfig> read_sentence_metadata(const Json& metadata) {
  SentenceConfig config;
  if (const std::string* text = text_of(metadata, kPooling)) {
    config.pooling = pooling_named(*text);
    if (!config.pooling) return wrong(kPooling, "mean, cls, max or last");
  }
  QUINTET_TRY(config.normalize, flag_of(metadata, kNormalize));
  QUINTET_TRY(const std::optional<bool> pools_prompt, flag_of(metadata, kIncludePrompt));
  config.pools_prompt = pools_prompt.value_or(true);
  QUINTET_CHECK(read_length(metadata, config.max_tokens));
  QUINTET_CHECK(read_prompts(metadata, config));
  return config;
}

Status append_sentence_metadata(const SentenceConfig& config, Json& metadata) {
  if (config.vectors() != VectorKind::dense) {
    return unsupported_error("weights stores no {} vectors; Embedder loads the folder as it is",
                             name_of(config.vectors()));
  }
  if (!config.dense.empty()) {
    return unsupported_error(
        "weights stores no Dense modules, of which the model has {}; Embedder loads its folder as it is",
        config.dense.size());
  }
  const auto text_of_flag = [](bool flag) { return flag ? "true" : "false"; };
  if (config.pooling) metadata.append(kPooling, name_of(*config.pooling));
  if (config.normalize) metadata.append(kNormalize, text_of_flag(*config.normalize));
  if (!config.pools_prompt) metadata.append(kIncludePrompt, text_of_flag(false));
  if (config.max_tokens) metadata.append(kMaxLength, write_natural(*config.max_tokens));
  if (!config.prompts.as_object()->empty()) metadata.append(kPrompts, write_json(config.prompts));
  if (config.default_prompt) metadata.append(kDefaultPrompt, *config.default_prompt);
  return {};
}

}  // namespace quintet::embd
