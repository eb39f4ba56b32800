#pragma once
// A tokenizer's two directions as functions of values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/tokenizer.h"

namespace quintet::test {

std::vector<uint32_t> encode(const Tokenizer& tokenizer, std::string_view text, bool begins = true);
std::string decode(const Tokenizer& tokenizer, const std::vector<uint32_t>& ids);

}  // namespace quintet::test
