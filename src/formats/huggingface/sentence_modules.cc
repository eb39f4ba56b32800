#include "formats/huggingface/sentence_modules.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "formats/known_fields.h"
#include "formats/model_description.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kStatic = "StaticEmbedding", kSparseStatic = "SparseStaticEmbedding",
                           kMask = "MultiVectorMask";

Failure malformed_file(std::string_view path, std::string problem) {
  return fail(Code::format, Reason::malformed, "{}: {}", path, problem);
}

Failure unsupported_file(std::string_view path, std::string problem) {
  return unsupported_error("{}: {}", path, problem);
}

// Modules pass values to one another by name: other names than that of the pooled vector, or of those of the tokens in
// late interaction, would leave a module out.
constexpr std::string_view kOfModules = "idx name path type kwargs";
constexpr std::string_view kOfModule =
    "word_embedding_dimension embedding_dimension include_prompt pooling_mode* in_features out_features bias "
    "activation_function use_residual pooling_strategy chunk_size skiplist_words skiplist_tasks frozen";
constexpr FixedField kOfTexts[] = {{"module_input_name", R"("sentence_embedding")"},
                                   {"module_output_name", R"("sentence_embedding")"}};
constexpr FixedField kOfTokens[] = {{"module_input_name", R"("token_embeddings")"},
                                    {"module_output_name", R"("token_embeddings")"}};

// "torch.nn.modules.activation.Tanh" -> "Tanh".
std::string_view class_of(std::string_view type) { return type.substr(type.find_last_of('.') + 1); }

struct NamedPooling {
  std::string_view key;   // name of its flag
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
  return unsupported_file(path, formatted("pooling \"{}\"; supported is one of cls, mean, max and lasttoken", mode));
}

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

Result<DenseModule> read_dense(std::string_view file, std::string_view path, const Json& config) {
  DenseModule dense;
  dense.path = path;
  for (const auto& [key, size] : {std::pair("in_features", &dense.in), std::pair("out_features", &dense.out)}) {
    const auto number = config.get(key).as_uint();
    if (!number || *number == 0 || *number > kMaxWidth)
      return malformed_file(file, formatted("{} is not a width", key));
    *size = *number;
  }
  dense.has_bias = config.get("bias").as_bool().value_or(true);
  dense.has_residual = config.get("use_residual").as_bool().value_or(false);
  const std::string* name = config.get("activation_function").as_string();
  const std::string_view activation = name ? class_of(*name) : "Tanh";  // the default of the module
  const auto* row = std::ranges::find(kActivations, activation, &NamedActivation::name);
  if (row == std::end(kActivations)) {
    return unsupported_file(
        file, formatted("activation_function {}; supported are Identity, Tanh, ReLU and GELU", activation));
  }
  dense.activation = row->activation;
  return dense;
}

// Modules without a name, as in PyLate.
Status check_tokens(std::string_view file, const Json& config) {
  return check_known(config, {.fixed = kOfTokens, .others = kOfModule}, file);
}

Result<SpladePooling> read_splade(std::string_view file, const Json& config) {
  SpladePooling splade;
  const auto name_under = [&config](std::string_view key, std::string_view usual) {
    const std::string* name = config.get(key).as_string();
    return name ? std::string_view(*name) : usual;
  };
  const std::string_view strategy = name_under("pooling_strategy", "max");
  const std::string_view activation = name_under("activation_function", "relu");
  if (strategy != "max" && strategy != "sum") {
    return unsupported_file(file, formatted("pooling_strategy \"{}\"; supported are max and sum", strategy));
  }
  if (activation != "relu" && activation != "log1p_relu") {
    return unsupported_file(file,
                            formatted("activation_function \"{}\"; supported are relu and log1p_relu", activation));
  }
  splade.has_sum = strategy == "sum";
  splade.has_second_log = activation == "log1p_relu";
  return splade;
}

// MultiVectorMask: tokens of documents without vectors.
Status read_mask(std::string_view file, const Json& config, LateInteraction& late) {
  const Json::Array* words = config.get("skiplist_words").as_array();
  for (const Json& word : words ? *words : Json::Array()) {
    if (!word.as_string()) return malformed_file(file, "skiplist_words is not a list of texts");
    late.skipped_words.push_back(*word.as_string());
  }
  const Json::Array* tasks = config.get("skiplist_tasks").as_array();
  const bool is_usual = !tasks || (tasks->size() == 1 && write_json(tasks->front()) == R"("document")");
  return is_usual ? Status() : unsupported_file(file, "skiplist_tasks; supported are documents alone");
}

struct Module {
  std::string_view name;  // of its class
  std::string path;
};

// Reads the modules one after another.
class Chain {
 public:
  Chain(const JsonFiles& files, std::string_view list, SentenceConfig& config)
      : files_(files), list_(list), config_(config) {}

  Status add(const Module& module) {
    const std::string file = module.path + "/config.json";
    const auto own = files_.find(file);  // Normalize has none in older folders
    const Json none = Json::object();
    const Json& fields = own == files_.end() ? none : own->second;
    const bool needs_own = module.name == "Pooling" || module.name == "Dense" || module.name == "SpladePooling";
    if (needs_own && own == files_.end()) {
      return input_error(Reason::missing, "{} is missing, which {} needs", file, list_);
    }
    const bool is_network = module.name == "Transformer" || module.name == "MLMTransformer";
    if (is_network && stage_ == Stage::network) return add_network(module);
    const bool is_of_tokens = module.name == "Dense" || module.name == kMask;
    if (config_.late || (is_of_tokens && stage_ == Stage::pooling)) {
      QUINTET_CHECK(check_tokens(file, fields));
      return add_of_tokens(module, file, fields);
    }
    QUINTET_CHECK(check_known(fields, {.fixed = kOfTexts, .others = kOfModule}, file));
    if (module.name == kStatic && stage_ == Stage::network) {
      config_.static_folder = module.path == "." ? "" : module.path;
      config_.pooling = Pooling::mean;
      stage_ = Stage::dense;
    } else if (module.name == "Pooling" && stage_ == Stage::pooling) {
      QUINTET_TRY(config_.pooling, read_pooling(file, fields));
      config_.pools_prompt = fields.get("include_prompt").as_bool().value_or(true);
      stage_ = Stage::dense;
    } else if (module.name == "SpladePooling" && stage_ == Stage::pooling) {
      QUINTET_TRY(config_.splade, read_splade(file, fields));
      stage_ = Stage::end;
    } else if (module.name == "Dense" && stage_ == Stage::dense) {
      QUINTET_CHECK(add_dense(module, file, fields));
    } else if (module.name == "Normalize" && stage_ == Stage::dense) {
      config_.normalize = true;
      stage_ = Stage::end;
    } else {
      return misplaced(module);
    }
    return {};
  }

  Status end() const {
    if (stage_ >= Stage::dense) return {};
    return malformed_file(list_, "there must be a Transformer and a Pooling module, or a StaticEmbedding");
  }

 private:
  enum class Stage : uint8_t { network, pooling, dense, end };

  Status add_network(const Module& module) {
    const bool is_of_router = list_ == kRouterFile && is_network_folder(module.path);
    if (!module.path.empty() && !is_of_router) {
      return unsupported_file(list_, formatted("a Transformer in the folder {}, supported is none", module.path));
    }
    config_.network_folder = module.path;
    stage_ = Stage::pooling;
    return {};
  }

  Status add_of_tokens(const Module& module, std::string_view file, const Json& fields) {
    if (!config_.late) config_.late.emplace();
    stage_ = Stage::dense;
    if (module.name == "Dense") return add_dense(module, file, fields);
    if (module.name == kMask) return read_mask(file, fields, *config_.late);
    return module.name == "Normalize" ? Status() : misplaced(module);
  }

  Status add_dense(const Module& module, std::string_view file, const Json& fields) {
    QUINTET_TRY(DenseModule dense, read_dense(file, module.path, fields));
    config_.dense.push_back(std::move(dense));
    return {};
  }

  Failure misplaced(const Module& module) const {
    return unsupported_file(list_, formatted("the module {}; supported are Transformer or StaticEmbedding, "
                                             "Pooling, Dense, Normalize, MultiVectorMask and SpladePooling",
                                             module.name));
  }

  const JsonFiles& files_;
  std::string_view list_;
  SentenceConfig& config_;
  Stage stage_ = Stage::network;
};

Result<std::vector<Module>> listed_modules(const Json& list) {
  std::vector<Module> modules;
  for (const Json& module : *list.as_array()) {
    const std::string* type = module.get("type").as_string();
    const std::string* path = module.get("path").as_string();
    if (!type || !path) return malformed_file(kModulesFile, "a module without type or path");
    QUINTET_CHECK(check_known(module, {.fixed = {}, .others = kOfModules}, kModulesFile));
    modules.push_back({class_of(*type), *path});
  }
  return modules;
}

// The modules of a route: their paths in order, with their classes by path.
Result<std::vector<Module>> route(const Json& router, std::string_view name) {
  const Json::Array* paths = router.get("structure").get(name).as_array();
  if (!paths) return malformed_file(kRouterFile, formatted("there is no route \"{}\"", name));
  std::vector<Module> modules;
  for (const Json& path : *paths) {
    const std::string* type = path.as_string() ? router.get("types").get(*path.as_string()).as_string() : nullptr;
    if (!type) return malformed_file(kRouterFile, "a module without path or type");
    modules.push_back({class_of(*type), *path.as_string()});
  }
  return modules;
}

// Queries that need no network (Geng et al. 2024, arXiv:2411.04403), and documents by a network.
Status read_router(const JsonFiles& files, SentenceConfig& config, std::vector<Module>& modules) {
  const auto file = files.find(kRouterFile);
  if (file == files.end()) return input_error(Reason::missing, "router_config.json is missing, which a Router needs");
  QUINTET_TRY(const std::vector<Module> query, route(file->second, "query"));
  QUINTET_TRY(modules, route(file->second, "document"));
  if (query.size() == 1 && query.front().name == kSparseStatic && is_query_folder(query.front().path)) {
    config.query_weights = query.front().path;
    return {};
  }
  return unsupported_file(kRouterFile, "the route of queries; supported is a SparseStaticEmbedding alone");
}

}  // namespace

bool is_network_folder(std::string_view folder) { return folder.ends_with("Transformer"); }
bool is_query_folder(std::string_view folder) { return folder.ends_with(kSparseStatic); }

bool lists_static_embeddings(const JsonFiles& files) {
  const auto modules = files.find(kModulesFile);
  if (modules == files.end()) return false;
  return std::ranges::any_of(*modules->second.as_array(), [](const Json& module) {
    const std::string* type = module.get("type").as_string();
    return type && class_of(*type) == kStatic;
  });
}

Status read_modules(const JsonFiles& files, SentenceConfig& config) {
  const auto list = files.find(kModulesFile);
  if (list == files.end()) return {};
  QUINTET_TRY(std::vector<Module> modules, listed_modules(list->second));
  const bool has_router = modules.size() == 1 && modules.front().name == "Router";
  if (has_router) QUINTET_CHECK(read_router(files, config, modules));
  config.normalize = false;
  Chain chain(files, has_router ? kRouterFile : kModulesFile, config);
  for (const Module& module : modules) QUINTET_CHECK(chain.add(module));
  if (config.query_weights && !config.splade) return unsupported_file(kRouterFile, "documents without SpladePooling");
  return chain.end();
}

}  // namespace quintet::huggingface
