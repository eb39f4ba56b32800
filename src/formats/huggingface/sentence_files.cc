#include "formats/huggingface/sentence_files.h"

#include <algorithm>
#include <utility>

#include "formats/known_fields.h"
#include "formats/model_description.h"
#include "formats/other_files.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kPrompts = "config_sentence_transformers.json";

// sentence_bert_config.json; in folders of 2020 and 2021 also under the names of other architectures.
bool is_transformer_config(std::string_view path) {
  return path.starts_with("sentence_") && path.ends_with("_config.json");
}

Failure malformed(std::string_view path, std::string problem) {
  return fail(Code::format, Reason::malformed, "{}: {}", path, problem);
}

// The fields of each file in Sentence Transformers 6 and before, and in PyLate.
constexpr std::string_view kOfPrompts =
    "__version__ model_type prompts default_prompt_name similarity_fn_name activation_fn";
constexpr std::string_view kOfLate =
    "query_prefix document_prefix query_length document_length do_query_expansion attend_to_expansion_tokens "
    "skiplist_words";
constexpr std::string_view kOfTransformer =
    "max_seq_length do_lower_case modality_config unpad_inputs model_args model_kwargs tokenizer_name_or_path";
constexpr FixedField kEmbedderTask[] = {{"transformer_task", R"("feature-extraction")"},
                                        {"module_output_name", R"("token_embeddings")"}};
constexpr FixedField kSparseTask[] = {{"transformer_task", R"("fill-mask")"},
                                      {"module_output_name", R"("token_embeddings")"}};
constexpr FixedField kRerankerTask[] = {{"transformer_task", R"("sequence-classification")"},
                                        {"module_output_name", R"("scores")"}};

}  // namespace

bool SentenceFiles::takes(std::string_view path) {
  const bool in_folder = path.find('/') != path.npos;
  if (in_folder) return path.ends_with("/config.json");
  return path == kModulesFile || path == kRouterFile || path == kPrompts || is_transformer_config(path);
}

Status SentenceFiles::add(std::string_view path, std::string_view text) {
  auto json = parse_json(text);
  if (!json) {
    Status kind = check_kind(text, Expected::json);
    if (kind) kind = failure_of(std::move(json));
    kind.error().detail = formatted("{}: {}", path, kind.error().detail);
    return kind;
  }
  const bool is_list = path == kModulesFile;
  if (is_list ? !json->as_array() : !json->as_object())
    return malformed(path, is_list ? "not a list" : "not an object");
  files_.insert_or_assign(std::string(path), *std::move(json));
  return {};
}

// Files without a limit have a number like 1e30.
Status SentenceFiles::set_tokenizer_config(const Json& config) {
  constexpr FixedField kSide = {"truncation_side", R"("right")"};
  QUINTET_CHECK(check_fixed(kSide, config.find(kSide.key), "tokenizer_config.json"));
  const auto length = config.get("model_max_length").as_uint();
  if (length && *length > 0 && *length <= kMaxPositions) tokenizer_length_ = length;
  return {};
}

bool SentenceFiles::lowers_texts() const {
  return std::ranges::any_of(files_, [](const auto& file) {
    return is_transformer_config(file.first) && file.second.get("do_lower_case").as_bool() == true;
  });
}

bool SentenceFiles::is_static() const { return lists_static_embeddings(files_); }

Status SentenceFiles::read_prompts(SentenceConfig& config) const {
  const auto file = files_.find(kPrompts);
  if (file == files_.end()) return {};
  const std::string known = formatted("{} {}", kOfPrompts, config.late ? kOfLate : std::string_view());
  QUINTET_CHECK(check_known(file->second, {.fixed = {}, .others = known}, kPrompts));
  if (config.late) QUINTET_CHECK(read_late_interaction(file->second, *config.late));
  const Json& prompts = file->second.get("prompts");
  for (const Json::Member& prompt : prompts.as_object() ? *prompts.as_object() : Json::Object()) {
    if (!prompt.value.as_string())
      return malformed(kPrompts, formatted("the prompt \"{}\" is not a text", prompt.name));
    config.prompts.append(prompt.name, prompt.value);
  }
  const std::string* chosen = file->second.get("default_prompt_name").as_string();
  if (!chosen) return {};
  if (!config.prompts.find(*chosen)) {
    return malformed(kPrompts, formatted("default_prompt_name \"{}\" is not one of the prompts", *chosen));
  }
  config.default_prompt = *chosen;
  return {};
}

// PyLate's settings, each of which may be missing. Sentence Transformers has prompts in place of prefixes.
Status SentenceFiles::read_late_interaction(const Json& fields, LateInteraction& late) {
  const Json::Object* prompts = fields.get("prompts").as_object();
  if (!fields.find("query_prefix") && prompts && !prompts->empty()) {
    late.query_prefix = late.document_prefix = "";
    late.query_length = late.document_length = 0;
    late.expands_queries = false;
    return {};
  }
  for (const auto& [key, text] :
       {std::pair("query_prefix", &late.query_prefix), std::pair("document_prefix", &late.document_prefix)}) {
    const Json* value = fields.find(key);
    if (!value || value->is_null()) continue;
    if (!value->as_string()) return malformed(kPrompts, formatted("{} is not a text", key));
    *text = *value->as_string();
  }
  for (const auto& [key, length] :
       {std::pair("query_length", &late.query_length), std::pair("document_length", &late.document_length)}) {
    const Json* value = fields.find(key);
    if (!value || value->is_null()) continue;
    const auto number = value->as_uint();
    if (!number || *number == 0 || *number > kMaxPositions) {
      return malformed(kPrompts, formatted("{} is not a length", key));
    }
    *length = *number;
  }
  late.expands_queries = fields.get("do_query_expansion").as_bool().value_or(late.expands_queries);
  late.attends_to_expansion = fields.get("attend_to_expansion_tokens").as_bool().value_or(late.attends_to_expansion);
  const Json* words = fields.find("skiplist_words");
  if (!words) {
    late.skip_punctuation();
    return {};
  }
  for (const Json& word : words->as_array() ? *words->as_array() : Json::Array()) {
    if (!word.as_string()) return malformed(kPrompts, "skiplist_words is not a list of texts");
    late.skipped_words.push_back(*word.as_string());
  }
  return {};
}

Status SentenceFiles::read_length(SentenceConfig& config) const {
  config.max_tokens = tokenizer_length_;
  for (const auto& [path, json] : files_) {
    const Json& length = json.get("max_seq_length");
    if (!is_transformer_config(path) || length.is_null()) continue;
    const auto number = length.as_uint();
    if (!number || *number == 0 || *number > kMaxPositions) return malformed(path, "max_seq_length is not a length");
    config.max_tokens = number;
  }
  return {};
}

Status SentenceFiles::check_transformer(std::span<const FixedField> task) const {
  for (const auto& [path, json] : files_) {
    if (!is_transformer_config(path)) continue;
    QUINTET_CHECK(check_known(json, {.fixed = task, .others = kOfTransformer}, path));
  }
  return {};
}

Result<SentenceConfig> SentenceFiles::settle() const {
  SentenceConfig config;
  QUINTET_CHECK(read_modules(files_, config));
  QUINTET_CHECK(check_transformer(config.splade ? std::span(kSparseTask) : std::span(kEmbedderTask)));
  QUINTET_CHECK(read_prompts(config));
  QUINTET_CHECK(read_length(config));
  return config;
}

Result<SentenceConfig> SentenceFiles::settle_reranker() const {
  SentenceConfig config;
  QUINTET_CHECK(check_transformer(kRerankerTask));
  QUINTET_CHECK(read_prompts(config));
  const auto modules = files_.find(kModulesFile);
  for (const Json& module : modules == files_.end() ? Json::Array() : *modules->second.as_array()) {
    const std::string* type = module.get("type").as_string();
    if (type && type->ends_with("Transformer")) continue;
    return unsupported_error("{}: the module {} in a reranker; supported is a Transformer alone", kModulesFile,
                             type ? *type : std::string("without type"));
  }
  const auto file = files_.find(kPrompts);
  const Json none;
  const Json& activation = file == files_.end() ? none : file->second.get("activation_fn");
  if (activation.as_string()) config.score_activation = *activation.as_string();
  QUINTET_CHECK(read_length(config));
  return config;
}

}  // namespace quintet::huggingface
