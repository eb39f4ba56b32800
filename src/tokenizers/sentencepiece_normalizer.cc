#include "tokenizers/sentencepiece_normalizer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/utf8.h"

namespace quintet {
namespace {

static_assert(std::endian::native == std::endian::little);

// A unit of the double array: bits 0-7 the byte that leads to it, bit 8 whether a rule ends here, bits 9-31 the
// position of its children. The unit of a rule's value has bit 31, and the value below it.
constexpr uint32_t kLeafFlag = 1u << 31;
constexpr uint32_t label_of(uint32_t unit) { return unit & (kLeafFlag | 0xFF); }
constexpr bool ends_rule(uint32_t unit) { return unit >> 8 & 1; }
constexpr uint32_t value_of(uint32_t unit) { return unit & ~kLeafFlag; }
constexpr uint32_t offset_of(uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); }

std::unexpected<Error> bad_map(Reason reason, std::string detail) {
  return fail({.code = Code::format, .reason = reason, .detail = "precompiled_charsmap: " + std::move(detail)});
}

bool begins_inside_character(std::string_view text, size_t at) {
  return at < text.size() && is_utf8_continuation(text[at]);
}

}  // namespace

Result<CharacterMap> CharacterMap::create(std::string compiled) {
  CharacterMap map;
  if (compiled.empty()) return map;
  uint32_t trie_bytes = 0;
  if (compiled.size() < sizeof(trie_bytes)) return bad_map(Reason::truncated, "its size is missing");
  std::memcpy(&trie_bytes, compiled.data(), sizeof(trie_bytes));
  if (trie_bytes > compiled.size() - sizeof(trie_bytes) || trie_bytes < sizeof(uint32_t)) {
    return bad_map(Reason::limit,
                   "a trie of " + std::to_string(trie_bytes) + " bytes in " + std::to_string(compiled.size()));
  }
  map.compiled_ = std::move(compiled);
  map.units_ = trie_bytes / sizeof(uint32_t);
  map.strings_begin_ = sizeof(trie_bytes) + trie_bytes;

  const std::string_view strings = map.strings();
  if (find_invalid_utf8(strings)) return bad_map(Reason::invalid_utf8, "a replacement is not UTF-8");
  for (size_t begin = 0; begin < strings.size();) {
    const size_t end = std::min(strings.find('\0', begin), strings.size());
    if (end - begin > kMaxReplacementBytes) {
      return bad_map(Reason::limit, "a replacement of " + std::to_string(end - begin) + " bytes");
    }
    begin = end + 1;
  }
  return map;
}

CharacterMap::Rule CharacterMap::longest(std::string_view text, size_t at) const {
  Rule rule;
  if (empty()) return rule;
  const size_t end = std::min(text.size(), at + kMaxRuleBytes);
  uint32_t node = offset_of(unit(0));
  for (size_t i = at; i < end; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    node ^= byte;
    if (node >= units_) break;
    const uint32_t reached = unit(node);
    if (label_of(reached) != byte) break;
    node ^= offset_of(reached);
    if (node >= units_) break;
    if (!ends_rule(reached) || begins_inside_character(text, i + 1)) continue;
    const uint32_t value = value_of(unit(node));
    if (value < strings().size() && !begins_inside_character(strings(), value)) rule = {i + 1 - at, string_at(value)};
  }
  return rule;
}

uint32_t CharacterMap::unit(size_t index) const {
  uint32_t unit;
  std::memcpy(&unit, compiled_.data() + (index + 1) * sizeof(unit), sizeof(unit));
  return unit;
}

std::string_view CharacterMap::string_at(uint32_t offset) const {
  const std::string_view rest = strings().substr(offset);
  return rest.substr(0, rest.find('\0'));
}

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

// What the text has at `at`: a user-defined symbol, something that a rule rewrites, or a character.
SentencePieceNormalizer::Prefix SentencePieceNormalizer::prefix(std::string_view text, size_t at) const {
  if (!user_defined_.empty()) {
    if (const auto symbol = user_defined_.longest(text, at)) return {text.substr(at, symbol->size), symbol->size};
  }
  const CharacterMap::Rule rule = character_map_.longest(text, at);
  if (rule.size > 0) return {rule.replacement, rule.size};
  const DecodedCodePoint character = decode_utf8(text, at);
  return {character.valid ? text.substr(at, character.bytes) : kReplacementUtf8, character.bytes};
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
