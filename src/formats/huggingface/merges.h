#pragma once
// The merges of a BPE model in a tokenizer.json, best first, in either spelling: "a b" or ["a", "b"].

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/huggingface/token_list.h"

namespace quintet::huggingface {

struct Merge {
  std::string_view left, right;  // of the JSON
  size_t token = 0;              // that they become, as index in the list
};

// Each half and the whole of every merge is a token.
Result<std::vector<Merge>> read_merges(const Json& model, const TokenList& list);

}  // namespace quintet::huggingface
