#pragma once
// The places of the tokens of any text: one for each token, in the text, and the ids are the same with and without
// them.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tokenizers/token_places.h"
#include "tokenizers/tokenizer.h"

namespace quintet::fuzz {

inline void check_places(const Tokenizer& tokenizer, std::string_view text, bool begins) {
  std::vector<uint32_t> ids, placed;
  TokenSpelling spelling;
  const Status status = tokenizer.encode(text, begins, ids);
  if (tokenizer.encode(text, begins, placed, spelling).has_value() != status.has_value()) std::abort();
  if (!status) return;
  if (ids != placed || spelling.ends.size() != ids.size()) std::abort();
  const auto places =
      find_token_places(text, spelling, [&](std::string_view part) { return tokenizer.normalized(part); });
  if (!places) return;
  if (places->size() != ids.size()) std::abort();
  for (const TokenPlace& place : *places) {
    if (place.begin > place.end || place.end > text.size()) std::abort();
  }
}

}  // namespace quintet::fuzz
