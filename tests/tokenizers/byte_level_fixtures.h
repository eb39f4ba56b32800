#pragma once
// The vocabularies under tests/fixtures/tokenizers/byte_level.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/model_description.h"
#include "tests/tokenizers/coding.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/tokenizer.h"

namespace quintet::test {

struct ByteLevelFixture {
  std::vector<std::string> tokens, special, merges;
};

// "gpt2", "starcoder", "llama3".
const ByteLevelFixture& byte_level_fixture(const std::string& name);
std::unique_ptr<Tokenizer> byte_level_tokenizer(const std::string& name);

// Finds it by its name in formats/pre_tokenizers.h.
PreTokenizer pre_tokenizer_named(const std::string& name);

StringTable string_table(const std::vector<std::string>& strings);

}  // namespace quintet::test
