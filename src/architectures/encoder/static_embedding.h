#pragma once
// Static embeddings (model2vec, https://github.com/MinishLab/model2vec): an encoder without layers. Each token has a
// vector, and that of a text is their mean.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "architectures/encoder/config.h"
#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::encoder {

enum class StaticPart : uint8_t {
  embeddings,  // [rows][hidden]
  weights,     // [tokens]: factors of the rows
  mapping,     // [tokens]: the row of a token, if tokens share rows
};
// Nothing for other tensors.
std::optional<StaticPart> static_part_of(std::string_view name);

// More tokens than this at a time are not supported, because the vectors of all are in memory.
inline constexpr size_t kMaxStaticTokens = size_t{1} << 15;

// Whether config.json is that of a model2vec model.
bool is_model2vec_json(const Json& config);

// The configuration of a model with these tensors. MISSING or MISMATCH if they are not those of static embeddings, or
// are fewer than the `tokens` of the vocabulary.
Result<EncoderConfig> read_static_config(const std::vector<TensorInfo>& tensors, uint64_t tokens);

}  // namespace quintet::encoder
