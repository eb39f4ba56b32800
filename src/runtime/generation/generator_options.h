#pragma once
// What a caller asks of the load of a generator, as JSON.

#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

struct GeneratorRequest {
  std::optional<Format> format;  // of a single file; absent: its first bytes tell
  GeneratorOptions options;
};

// { format?, quantize?, contextLength?, kvCache? } under the contract's names. INPUT for an option that is unknown or
// outside its meaning.
Result<GeneratorRequest> read_generator_options(std::string_view json);

}  // namespace quintet
