// Any bytes are text. What must hold: the ids are of the vocabulary, their places are in the text, and a text is
// tokenized the same alone and after another one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/fuzz/places.h"
#include "tokenizers/wordpiece/wordpiece.h"

namespace {

using quintet::WordPiece;

constexpr std::string_view kTokens[] = {
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un",     "##aff",    "##able", "a",      "##a",
    "b",     "##b",   "!",     "[",     "]",      "\u00e6", "##\u00e6", "\u4e00", "\u1100", "##\u1161",
};

std::unique_ptr<const WordPiece> make_tokenizer() {
  quintet::StringTable vocabulary;
  for (const std::string_view token : kTokens) {
    if (!vocabulary.add(token)) std::abort();
  }
  const quintet::SpecialIds special = {.bos = {}, .eos = {}, .pad = 0, .unk = 1, .mask = 4, .cls = 2, .sep = 3};
  auto tokenizer = WordPiece::create(std::move(vocabulary), special);
  if (!tokenizer) std::abort();
  return std::move(*tokenizer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto tokenizer = make_tokenizer();
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  std::vector<uint32_t> ids;
  if (!tokenizer->encode(text, true, ids)) std::abort();
  for (const uint32_t id : ids) {
    if (id >= tokenizer->size()) std::abort();
  }

  quintet::fuzz::check_places(*tokenizer, text, true);

  std::vector<uint32_t> twice = ids;
  if (!tokenizer->encode(text, false, twice)) std::abort();
  if (twice.size() != 2 * ids.size()) std::abort();
  for (size_t i = 0; i < twice.size(); ++i) {
    if (twice[i] != ids[i % ids.size()]) std::abort();
  }
  return 0;
}
