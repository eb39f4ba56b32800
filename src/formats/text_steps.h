#pragma once
// Normalizers and pre-tokenizers in the notation of tokenizer.json, which AMB uses too.

#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tokenizers/text_steps.h"

namespace quintet {

// The parts of a Sequence, also of one within another, whose list is called `key`; or the only one. None for null.
std::vector<const Json*> steps_of(const Json& part, std::string_view key);
constexpr std::string_view kNormalizers = "normalizers";
constexpr std::string_view kPreTokenizers = "pretokenizers";

// UNSUPPORTED for a step that is not implemented, here and below.
Result<std::vector<NormalizerStep>> read_normalizer(const Json& normalizer);
Result<NormalizerStep> read_normalizer_step(const Json& step);
// Reads the steps of byte-level BPE: one of them, and maybe the only one, is a ByteLevel.
Result<std::vector<SplitStep>> read_pre_tokenizer(const Json& pre_tokenizer);

Json write_normalizer(const std::vector<NormalizerStep>& steps);
Json write_pre_tokenizer(const std::vector<SplitStep>& steps);

}  // namespace quintet
