#include "tokenizers/sentencepiece_normalizer.h"

#include <utility>

#include "base/utf8.h"

namespace quintet {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

}  // namespace

SentencePieceNormalizer::SentencePieceNormalizer(const SentencePieceSettings& settings, CharacterMap character_map,
                                                 const PieceTrie& user_defined)
    : character_map_(std::move(character_map)),
      user_defined_(user_defined),
      add_dummy_prefix_(settings.add_dummy_prefix),
      remove_extra_whitespaces_(settings.remove_extra_whitespaces),
      treat_whitespace_as_suffix_(settings.treat_whitespace_as_suffix),
      space_(settings.escape_whitespaces ? kSpaceSymbol : " ") {}

std::string SentencePieceNormalizer::normalize(std::string_view text, bool begins) const {
  std::string out;
  if (remove_extra_whitespaces_) text.remove_prefix(skip_spaces(text));
  if (text.empty()) return out;
  out.reserve(text.size() + text.size() / 2);

  if (begins && add_dummy_prefix_ && !treat_whitespace_as_suffix_) out += space_;
  bool after_space = remove_extra_whitespaces_;
  for (size_t at = 0; at < text.size();) {
    auto [normalized, size] = prefix(text, at);
    at += size;
    while (after_space && normalized.starts_with(' ')) normalized.remove_prefix(1);
    if (normalized.empty()) continue;
    append(normalized, out);
    after_space = remove_extra_whitespaces_ && normalized.ends_with(' ');
  }

  if (remove_extra_whitespaces_) {
    while (out.ends_with(space_)) out.resize(out.size() - space_.size());
  }
  if (add_dummy_prefix_ && treat_whitespace_as_suffix_) out += space_;
  return out;
}

// What the text has at `at`: a symbol of the user, what a rule rewrites, or a character.
SentencePieceNormalizer::Prefix SentencePieceNormalizer::prefix(std::string_view text, size_t at) const {
  if (!user_defined_.empty()) {
    if (const auto symbol = user_defined_.longest(text, at)) return {text.substr(at, symbol->size), symbol->size};
  }
  const CharacterMap::Rule rule = character_map_.longest(text, at);
  if (rule.size > 0) return {rule.replacement, rule.size};
  const DecodedCodePoint character = decode_utf8(text, at);
  return {character.valid ? text.substr(at, character.bytes) : kReplacement, character.bytes};
}

size_t SentencePieceNormalizer::skip_spaces(std::string_view text) const {
  size_t at = 0;
  while (at < text.size()) {
    const Prefix next = prefix(text, at);
    if (next.normalized != " ") break;
    at += next.size;
  }
  return at;
}

void SentencePieceNormalizer::append(std::string_view normalized, std::string& out) const {
  for (const char byte : normalized) {
    if (byte == ' ') {
      out += space_;
    } else {
      out += byte;
    }
  }
}

}  // namespace quintet
