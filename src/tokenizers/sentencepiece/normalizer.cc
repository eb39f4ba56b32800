#include "tokenizers/sentencepiece/normalizer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "base/unicode/properties.h"
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

template <class... Values>
QUINTET_INLINE Failure bad_map(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail(Code::format, reason, "precompiled_charsmap: {}", formatted(detail, values...));
}

bool begins_inside_character(std::string_view text, size_t at) {
  return at < text.size() && is_utf8_continuation(text[at]);
}

struct CodePoints {
  char32_t first, last;
};

bool is_in(char32_t c, std::span<const CodePoints> ranges) {
  return std::ranges::any_of(ranges, [c](const CodePoints& each) { return each.first <= c && c <= each.last; });
}

// Grapheme_Cluster_Break Extend, ZWJ or SpacingMark (Unicode Standard Annex 29, version 17.0): marks, except for some,
// and characters that extend without being marks. Categories here are those of version 16.0.
bool is_extending(char32_t c) {
  constexpr CodePoints kOtherMarks[] = {{0x102B, 0x102C},  {0x1038, 0x1038}, {0x1062, 0x1064}, {0x1067, 0x106D},
                                        {0x1083, 0x1083},  {0x1087, 0x108C}, {0x108F, 0x108F}, {0x109A, 0x109C},
                                        {0x1A61, 0x1A61},  {0x1A63, 0x1A64}, {0xAA7B, 0xAA7B}, {0xAA7D, 0xAA7D},
                                        {0x11720, 0x11721}};
  constexpr CodePoints kOthers[] = {{0x0E33, 0x0E33},    // a vowel of Thai
                                    {0x0EB3, 0x0EB3},    // and of Lao
                                    {0x200C, 0x200D},    // joiners
                                    {0xFF9E, 0xFF9F},    // half-width sound marks of Japanese
                                    {0x1F3FB, 0x1F3FF},  // colors of skin
                                    {0xE0020, 0xE007F},  // tags
                                    {0x1ACF, 0x1ADD},    // marks of version 17.0
                                    {0x1AE0, 0x1AEB},   {0x10EFA, 0x10EFB}, {0x11B60, 0x11B67}, {0x1E6E3, 0x1E6E3},
                                    {0x1E6E6, 0x1E6E6}, {0x1E6EE, 0x1E6EF}, {0x1E6F5, 0x1E6F5}};
  return subcategory(c) == Subcategory::mark ? !is_in(c, kOtherMarks) : is_in(c, kOthers);
}

// Grapheme_Cluster_Break Prepend: belongs to what follows.
bool is_prepended(char32_t c) {
  constexpr CodePoints kPrepended[] = {{0x0600, 0x0605},   {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},
                                       {0x08E2, 0x08E2},   {0x0D4E, 0x0D4E},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
                                       {0x111C2, 0x111C3}, {0x113D1, 0x113D1}, {0x1193F, 0x1193F}, {0x11941, 0x11941},
                                       {0x11A3A, 0x11A3A}, {0x11A84, 0x11A89}, {0x11D46, 0x11D46}, {0x11F02, 0x11F02}};
  return is_in(c, kPrepended);
}

// Default_Ignorable_Code_Point, in the ranges where it has characters that are not assigned.
bool may_be_ignorable(char32_t c) {
  constexpr CodePoints kIgnorable[] = {{0x2065, 0x2065}, {0xFFF0, 0xFFF8}, {0xE0000, 0xE0FFF}};
  return is_in(c, kIgnorable);
}

// Grapheme_Cluster_Break Control, CR or LF: alone in its cluster.
bool is_control(char32_t c) {
  const Category category = character_properties(c).category();
  if (category == Category::control || c == 0x2028 || c == 0x2029) return true;
  return (category == Category::format || may_be_ignorable(c)) && !is_extending(c) && !is_prepended(c);
}

bool begins_cluster(std::string_view text, size_t at) {
  if (at == 0) return true;
  size_t before = at - 1;
  while (before > 0 && is_utf8_continuation(text[before])) --before;
  const char32_t previous = decode_utf8(text, before).code_point, c = decode_utf8(text, at).code_point;
  if (is_control(previous) || is_control(c)) return true;
  return !is_extending(c) && !is_prepended(previous);
}

// Longer clusters are not rewritten as a whole.
constexpr size_t kMaxClusterBytes = 5;

// Returns the size in bytes. A cluster beyond the limit is only measured until that is known.
size_t cluster_size(std::string_view text, size_t at) {
  text.remove_prefix(at);
  if (text.starts_with("\r\n")) return 2;
  const DecodedCodePoint first = decode_utf8(text, 0);
  size_t size = first.bytes;
  while (!is_control(first.code_point) && size <= kMaxClusterBytes && size < text.size()) {
    const DecodedCodePoint next = decode_utf8(text, size);
    if (!next.valid || !is_extending(next.code_point)) break;
    size += next.bytes;
  }
  return size;
}

}  // namespace

Result<CharacterMap> CharacterMap::create(std::string compiled) {
  CharacterMap map;
  if (compiled.empty()) return map;
  uint32_t trie_bytes = 0;
  if (compiled.size() < sizeof(trie_bytes)) return bad_map(Reason::truncated, "its size is missing");
  std::memcpy(&trie_bytes, compiled.data(), sizeof(trie_bytes));
  if (trie_bytes > compiled.size() - sizeof(trie_bytes) || trie_bytes < sizeof(uint32_t)) {
    return bad_map(Reason::limit, "a trie of {} bytes in {}", trie_bytes, compiled.size());
  }
  map.compiled_ = std::move(compiled);
  map.units_ = trie_bytes / sizeof(uint32_t);
  map.strings_begin_ = sizeof(trie_bytes) + trie_bytes;

  const std::string_view strings = map.strings();
  if (find_invalid_utf8(strings)) return bad_map(Reason::invalid_utf8, "a replacement is not UTF-8");
  for (size_t begin = 0; begin < strings.size();) {
    const size_t end = std::min(strings.find('\0', begin), strings.size());
    if (end - begin > kMaxReplacementBytes) {
      return bad_map(Reason::limit, "a replacement of {} bytes", end - begin);
    }
    begin = end + 1;
  }
  return map;
}

CharacterMap::Rule CharacterMap::find(std::string_view text, size_t at, bool first) const {
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
    if (first && rule.size > 0) break;
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
      prefixes_every_part_(settings.prefixes_every_part),
      prefixes_no_space_(settings.prefixes_no_space),
      splits_white_space_(settings.splits_white_space),
      keeps_trailing_space_(settings.keeps_trailing_space),
      as_huggingface_(settings.as_huggingface),
      space_(settings.escape_whitespaces ? kSpaceSymbol : " ") {}

std::string SentencePieceNormalizer::normalize(std::string_view text, bool begins) const {
  const bool has_prefix = add_dummy_prefix_ && (begins || prefixes_every_part_);
  return as_huggingface_ ? with_marks(mapped(text), has_prefix) : as_sentencepiece(text, has_prefix);
}

std::string SentencePieceNormalizer::as_sentencepiece(std::string_view text, bool has_prefix) const {
  std::string out;
  if (remove_extra_whitespaces_) text.remove_prefix(skip_spaces(text));
  if (text.empty()) return out;
  out.reserve(text.size() + text.size() / 2);

  if (has_prefix && !treat_whitespace_as_suffix_) out += space_;
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

// Returns what Hugging Face's normalizer makes of a text: the rules are applied, and white space at the end goes.
std::string SentencePieceNormalizer::mapped(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  size_t end = 0;  // end of the last character that is kept
  for (size_t at = 0; at < text.size();) {
    const Prefix next = prefix(text, at);
    at += next.size;
    for (size_t i = 0; i < next.normalized.size();) {
      const DecodedCodePoint character = decode_utf8(next.normalized, i);
      out += next.normalized.substr(i, character.bytes);
      i += character.bytes;
      if (keeps_trailing_space_ || !is_white_space(character.code_point)) end = out.size();
    }
  }
  out.resize(end);
  return out;
}

// Returns what its Metaspace makes of that (pre_tokenizers/metaspace.rs): every space is a mark, and so is the prefix,
// which is not put in front of another mark. If words are split before, white space only separates them, and each has
// the prefix.
std::string SentencePieceNormalizer::with_marks(std::string_view text, bool has_prefix) const {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  bool begins_word = has_prefix;
  bool after_space = false;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint character = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, character.bytes);
    at += character.bytes;
    if (splits_white_space_ && is_white_space(character.code_point)) {
      begins_word = true;
      continue;
    }
    const bool is_space = bytes == " ";
    if (begins_word && !(prefixes_no_space_ && (is_space || bytes == kSpaceSymbol))) out += space_;
    begins_word = false;
    if (!(is_space && after_space && remove_extra_whitespaces_)) append(bytes, out);
    after_space = is_space;
  }
  return out;
}

// Returns what the text has at `at`: a user-defined symbol, something that a rule rewrites, or a character.
SentencePieceNormalizer::Prefix SentencePieceNormalizer::prefix(std::string_view text, size_t at) const {
  if (!user_defined_.empty()) {
    if (const auto symbol = user_defined_.longest(text, at)) return {text.substr(at, symbol->size), symbol->size};
  }
  const CharacterMap::Rule rule = rule_at(text, at);
  if (rule.size > 0) return {rule.replacement, rule.size};
  const DecodedCodePoint character = decode_utf8(text, at);
  return {character.valid ? text.substr(at, character.bytes) : kReplacementUtf8, character.bytes};
}

// Hugging Face's normalizer looks up the first rule for a cluster of characters that together have less than six bytes,
// and replaces all of it; in other clusters, it looks up each character (huggingface/tokenizers,
// normalizers/precompiled.rs). A cluster is a character with the marks and joiners after it, a control character,
// or CR LF.
CharacterMap::Rule SentencePieceNormalizer::rule_at(std::string_view text, size_t at) const {
  if (!as_huggingface_ || character_map_.empty()) return character_map_.longest(text, at);
  const size_t cluster = begins_cluster(text, at) ? cluster_size(text, at) : kMaxClusterBytes + 1;
  const size_t size = cluster <= kMaxClusterBytes ? cluster : decode_utf8(text, at).bytes;
  CharacterMap::Rule rule = character_map_.shortest(text.substr(0, at + size), at);
  if (rule.size > 0) rule.size = size;
  return rule;
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
