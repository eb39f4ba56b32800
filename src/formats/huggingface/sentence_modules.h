#pragma once
// The modules of an embedder of sentence-transformers, in the order in which they compute: a Transformer, then Pooling,
// Dense layers and Normalize; Dense layers alone, for late interaction; or SpladePooling, for sparse vectors.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/sentence_config.h"

namespace quintet::huggingface {

// Modules by their paths inside the model's folder.
using JsonFiles = std::map<std::string, Json, std::less<>>;

inline constexpr std::string_view kModulesFile = "modules.json", kRouterFile = "router_config.json";

// Whether a module of a Router is the network, or the weights of tokens in queries, by the name of its folder, which is
// made of the name of its class.
bool is_network_folder(std::string_view folder);
bool is_query_folder(std::string_view folder);

// Whether modules.json lists static embeddings.
bool lists_static_embeddings(const JsonFiles& files);

// Reads the list of modules and the config.json of each; without modules.json nothing. MISSING for a module without its
// config.json; UNSUPPORTED for other modules, or another order.
Status read_modules(const JsonFiles& files, SentenceConfig& config);

}  // namespace quintet::huggingface
