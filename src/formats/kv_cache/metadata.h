#pragma once
// The metadata of a KV cache file: texts, as safetensors has them.

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet::kv {

// Null where there is none.
const std::string* find_text(const Json& metadata, std::string_view key);

// FORMAT: a key whose text is `found`, null where it is missing.
std::unexpected<Error> wrong_metadata(std::string_view key, const std::string* found, Reason reason,
                                      std::string_view expected);

}  // namespace quintet::kv
