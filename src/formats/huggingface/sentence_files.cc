#include "formats/huggingface/sentence_files.h"

#include <algorithm>
#include <utility>

#include "formats/known_fields.h"
#include "formats/model_description.h"
#include "formats/other_files.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kStatic = "StaticEmbedding";

constexpr std::string_view kModules = "modules.json", kPrompts = "config_sentence_transformers.json";

// sentence_bert_config.json; in folders of 2020 and 2021 also under the names of other architectures.
bool is_transformer_config(std::string_view path) {
  return path.starts_with("sentence_") && path.ends_with("_config.json");
}

Failure malformed(std::string_view path, std::string problem) {
  return fail(Code::format, Reason::malformed, "{}: {}", path, problem);
}

Failure unsupported(std::string_view path, std::string problem) { return unsupported_error("{}: {}", path, problem); }

struct NamedPooling {
  std::string_view key;   // of a flag of its own
  std::string_view name;  // under `pooling_mode`
  std::optional<Pooling> pooling;
};
constexpr NamedPooling kPoolings[] = {
    {"pooling_mode_cls_token", "cls", Pooling::cls},
    {"pooling_mode_mean_tokens", "mean", Pooling::mean},
    {"pooling_mode_max_tokens", "max", Pooling::max},
    {"pooling_mode_lasttoken", "lasttoken", Pooling::last},
    {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", std::nullopt},
    {"pooling_mode_weightedmean_tokens", "weightedmean", std::nullopt},
};

Failure unsupported_pooling(std::string_view path, std::string_view mode) {
  return unsupported(path, formatted("pooling \"{}\"; supported is one of cls, mean, max and lasttoken", mode));
}

// The fields of each file in Sentence Transformers 6 and before. Modules pass values to one another by name: other
// names than that of the pooled vector would leave a module out.
constexpr std::string_view kOfModules = "idx name path type kwargs";
constexpr std::string_view kOfModule =
    "word_embedding_dimension embedding_dimension include_prompt pooling_mode* in_features out_features bias "
    "activation_function";
constexpr FixedField kOfSentence[] = {{"module_input_name", R"("sentence_embedding")"},
                                      {"module_output_name", R"("sentence_embedding")"}};
constexpr std::string_view kOfPrompts =
    "__version__ model_type prompts default_prompt_name similarity_fn_name activation_fn";
constexpr std::string_view kOfTransformer =
    "max_seq_length do_lower_case modality_config unpad_inputs model_args model_kwargs tokenizer_name_or_path";
constexpr FixedField kEmbedderTask[] = {{"transformer_task", R"("feature-extraction")"},
                                        {"module_output_name", R"("token_embeddings")"}};
constexpr FixedField kRerankerTask[] = {{"transformer_task", R"("sequence-classification")"},
                                        {"module_output_name", R"("scores")"}};

// The only name, which may be in a list, or the only flag that is set.
Result<Pooling> read_pooling(std::string_view path, const Json& config) {
  const Json* mode = config.find("pooling_mode");
  const Json::Array* list = mode ? mode->as_array() : nullptr;
  if (list && list->size() == 1) mode = &list->front();
  const std::string* name = mode ? mode->as_string() : nullptr;
  if (mode && !name) return unsupported_pooling(path, write_json(*mode));
  const NamedPooling* found = nullptr;
  for (const NamedPooling& row : kPoolings) {
    const bool is_set = name ? row.name == *name : config.get(row.key).as_bool() == true;
    if (!is_set) continue;
    if (found) return unsupported_pooling(path, formatted("{} and {}", found->name, row.name));
    found = &row;
  }
  if (!found) return unsupported_pooling(path, name ? *name : "none");
  if (!found->pooling) return unsupported_pooling(path, found->name);
  return *found->pooling;
}

struct NamedActivation {
  std::string_view name;  // of PyTorch's class
  DenseActivation activation;
};
constexpr NamedActivation kActivations[] = {{"Identity", DenseActivation::identity},
                                            {"Tanh", DenseActivation::tanh},
                                            {"ReLU", DenseActivation::relu},
                                            {"GELU", DenseActivation::gelu}};

// "torch.nn.modules.activation.Tanh" -> "Tanh".
std::string_view class_of(std::string_view type) { return type.substr(type.find_last_of('.') + 1); }

Result<DenseModule> read_dense(std::string_view file, std::string_view path, const Json& config) {
  DenseModule dense;
  dense.path = path;
  for (const auto& [key, size] : {std::pair("in_features", &dense.in), std::pair("out_features", &dense.out)}) {
    const auto number = config.get(key).as_uint();
    if (!number || *number == 0 || *number > kMaxWidth) return malformed(file, formatted("{} is not a width", key));
    *size = *number;
  }
  dense.has_bias = config.get("bias").as_bool().value_or(true);
  const std::string* name = config.get("activation_function").as_string();
  const std::string_view activation = name ? class_of(*name) : "Tanh";  // the default of the module
  const auto* row = std::ranges::find(kActivations, activation, &NamedActivation::name);
  if (row == std::end(kActivations)) {
    return unsupported(file,
                       formatted("activation_function {}; supported are Identity, Tanh, ReLU and GELU", activation));
  }
  dense.activation = row->activation;
  return dense;
}

}  // namespace

bool SentenceFiles::takes(std::string_view path) {
  const bool in_folder = path.find('/') != path.npos;
  if (in_folder) return path.ends_with("/config.json");
  return path == kModules || path == kPrompts || is_transformer_config(path);
}

Status SentenceFiles::add(std::string_view path, std::string_view text) {
  auto json = parse_json(text);
  if (!json) {
    Status kind = check_kind(text, Expected::json);
    if (kind) kind = failure_of(std::move(json));
    kind.error().detail = formatted("{}: {}", path, kind.error().detail);
    return kind;
  }
  const bool is_list = path == kModules;
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

bool SentenceFiles::is_static() const {
  const auto modules = files_.find(kModules);
  if (modules == files_.end()) return false;
  return std::ranges::any_of(*modules->second.as_array(), [](const Json& module) {
    const std::string* type = module.get("type").as_string();
    return type && class_of(*type) == kStatic;
  });
}

Status SentenceFiles::read_modules(SentenceConfig& config) const {
  const auto modules = files_.find(kModules);
  if (modules == files_.end()) return {};
  enum class Stage : uint8_t { transformer, pooling, dense, normalized } stage = Stage::transformer;
  config.normalize = false;
  for (const Json& module : *modules->second.as_array()) {
    const std::string* type = module.get("type").as_string();
    const std::string* path = module.get("path").as_string();
    if (!type || !path) return malformed(kModules, "a module without type or path");
    const std::string_view name = class_of(*type);
    QUINTET_CHECK(check_known(module, {.fixed = {}, .others = kOfModules}, kModules));
    const std::string file = *path + "/config.json";
    const auto own = files_.find(file);  // Normalize has none in older folders
    const bool has_own = own != files_.end();
    if (has_own) QUINTET_CHECK(check_known(own->second, {.fixed = kOfSentence, .others = kOfModule}, file));
    if (!has_own && (name == "Pooling" || name == "Dense")) {
      return input_error(Reason::missing, "{} is missing, which modules.json needs", file);
    }
    if (name == "Transformer" && stage == Stage::transformer) {
      if (!path->empty())
        return unsupported(kModules, formatted("a Transformer in the folder {}, supported is none", *path));
      stage = Stage::pooling;
    } else if (name == kStatic && stage == Stage::transformer) {
      config.static_folder = *path == "." ? "" : *path;
      config.pooling = Pooling::mean;
      stage = Stage::dense;
    } else if (name == "Pooling" && stage == Stage::pooling) {
      QUINTET_TRY(config.pooling, read_pooling(file, own->second));
      config.pools_prompt = own->second.get("include_prompt").as_bool().value_or(true);
      stage = Stage::dense;
    } else if (name == "Dense" && stage == Stage::dense) {
      QUINTET_TRY(DenseModule dense, read_dense(file, *path, own->second));
      config.dense.push_back(std::move(dense));
    } else if (name == "Normalize" && stage == Stage::dense) {
      config.normalize = true;
      stage = Stage::normalized;
    } else {
      return unsupported(kModules, formatted("the module {}; supported are Transformer, Pooling, Dense and Normalize, "
                                             "in this order, and StaticEmbedding in place of the first two",
                                             name));
    }
  }
  if (stage >= Stage::dense) return {};
  return malformed(kModules, "there must be a Transformer and a Pooling module, or a StaticEmbedding");
}

Status SentenceFiles::read_prompts(SentenceConfig& config) const {
  const auto file = files_.find(kPrompts);
  if (file == files_.end()) return {};
  QUINTET_CHECK(check_known(file->second, {.fixed = {}, .others = kOfPrompts}, kPrompts));
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
  QUINTET_CHECK(check_transformer(kEmbedderTask));
  QUINTET_CHECK(read_modules(config));
  QUINTET_CHECK(read_prompts(config));
  QUINTET_CHECK(read_length(config));
  return config;
}

Result<SentenceConfig> SentenceFiles::settle_reranker() const {
  SentenceConfig config;
  QUINTET_CHECK(check_transformer(kRerankerTask));
  QUINTET_CHECK(read_prompts(config));
  const auto modules = files_.find(kModules);
  for (const Json& module : modules == files_.end() ? Json::Array() : *modules->second.as_array()) {
    const std::string* type = module.get("type").as_string();
    if (type && class_of(*type) == "Transformer") continue;
    return unsupported(kModules, formatted("the module {} in a reranker; supported is a Transformer alone",
                                           type ? *type : std::string("without type")));
  }
  const auto file = files_.find(kPrompts);
  const Json none;
  const Json& activation = file == files_.end() ? none : file->second.get("activation_fn");
  if (activation.as_string()) config.score_activation = *activation.as_string();
  QUINTET_CHECK(read_length(config));
  return config;
}

}  // namespace quintet::huggingface
