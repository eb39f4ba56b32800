#include "runtime/inspect/model_name.h"

namespace quintet {

std::string_view model_name(const Json& metadata) {
  for (const std::string_view key : {"name", "base_model", "general.name"}) {
    const Json* value = metadata.find(key);
    if (value && value->as_string()) return *value->as_string();
  }
  return {};
}

}  // namespace quintet
