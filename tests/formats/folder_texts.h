#pragma once
// The describing files of a Hugging Face folder as texts.

#include <string>
#include <utility>
#include <vector>

#include "formats/huggingface/folder.h"

namespace quintet::test {

using NamedText = std::pair<std::string, std::string>;

Result<ModelDescription> describe(const std::vector<NamedText>& files);

// config.json of a small model. `more`: further members, each after a comma.
NamedText config(const std::string& model_type, uint64_t n_vocab, const std::string& more = "");

}  // namespace quintet::test
