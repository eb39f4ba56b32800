#pragma once
// Settings of a byte-level BPE tokenizer from files, apart from its tokens.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_table.h"
#include "tokenizers/text_steps.h"

namespace quintet {

struct BpeDescription {
  std::vector<uint32_t> ids;  // the id of each token; empty if the position of a token is its id
  StringTable merges;         // "left right", best first
  std::string pre_tokenizer;  // a name of formats/pre_tokenizers.h or an unknown one; empty means gpt2
  std::optional<std::vector<SplitStep>> splits;  // the pre-tokenizer, if it has no name
  std::string word_suffix;     // follows the letter of a word's last byte, as CLIP's "</w>"; not in our formats
  bool ignore_merges = false;  // a word that is in the vocabulary is one token, regardless of the merges
};

}  // namespace quintet
