#include "tokenizers/special_tokens.h"

#include <algorithm>

#include "base/order.h"
#include "base/unicode/properties.h"
#include "base/utf8.h"

namespace quintet {
namespace {

uint8_t byte_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

size_t trimmed_begin(std::string_view text, size_t from, size_t begin) {
  while (begin > from) {
    size_t last = begin - 1;
    while (last > from && is_utf8_continuation(text[last])) --last;
    const DecodedCodePoint decoded = decode_utf8(text, last);
    if (last + decoded.bytes != begin || !is_white_space(decoded.code_point)) break;
    begin = last;
  }
  return begin;
}

size_t trimmed_end(std::string_view text, size_t end) {
  while (end < text.size()) {
    const DecodedCodePoint decoded = decode_utf8(text, end);
    if (!is_white_space(decoded.code_point)) break;
    end += decoded.bytes;
  }
  return end;
}

}  // namespace

bool TextOrigin::trusts(size_t begin, size_t end) const {
  const auto next = std::ranges::upper_bound(changes_, begin);
  return (next - changes_.begin()) % 2 == 0 && (next == changes_.end() || *next >= end);
}

SpecialTokens::SpecialTokens(std::vector<SpecialToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const auto& token) { return token.text.empty() || token.text.size() > kLongest; });
  heap_sort(tokens_, [](const SpecialToken& a, const SpecialToken& b) {
    const int order = a.text.compare(b.text);
    return order != 0 ? order < 0 : a.id < b.id;
  });
  for (const SpecialToken& token : tokens_) first_bytes_.set(byte_at(token.text, 0));
  // \w of Rust, which has the joiners.
  word_ = word_characters(true);
  word_.add_range({0x200C, 0x200D});
}

bool SpecialTokens::is_in_word(std::string_view text, size_t begin, size_t end) const {
  const auto is_of_word = [&](size_t at) {
    const char32_t c = decode_utf8(text, at).code_point;
    return c < 0x80 ? word_.contains_ascii(c) : word_.contains_beyond_ascii(c, CharacterKinds().of(c));
  };
  if (end < text.size() && is_of_word(end)) return true;
  if (begin == 0) return false;
  do --begin;
  while (begin > 0 && is_utf8_continuation(text[begin]));
  return is_of_word(begin);
}

// Narrows the range of tokens with the prefix, byte by byte. Within it, a token that ends here comes first.
const SpecialToken* SpecialTokens::longest_at(std::string_view text, size_t at, const TextOrigin& origin) const {
  const SpecialToken* longest = nullptr;
  auto first = tokens_.begin();
  auto last = tokens_.end();
  for (size_t size = 0;; ++size) {
    if (first != last && first->text.size() == size && (first->anywhere || origin.trusts(at, at + size))) {
      longest = &*first;
    }
    while (first != last && first->text.size() == size) ++first;
    if (first == last || at + size == text.size()) return longest;
    const uint8_t byte = byte_at(text, at + size);
    first = std::partition_point(first, last, [&](const auto& token) { return byte_at(token.text, size) < byte; });
    last = std::partition_point(first, last, [&](const auto& token) { return byte_at(token.text, size) == byte; });
  }
}

std::optional<SpecialTokens::Found> SpecialTokens::next(std::string_view text, size_t from,
                                                        const TextOrigin& origin) const {
  if (tokens_.empty()) return std::nullopt;
  for (size_t at = from; at < text.size(); ++at) {
    if (!first_bytes_[byte_at(text, at)]) continue;
    const SpecialToken* token = longest_at(text, at, origin);
    if (!token) continue;
    const size_t end = at + token->text.size();
    if (token->is_word && is_in_word(text, at, end)) {
      at = end - 1;  // nor is a shorter one sought here
      continue;
    }
    const size_t begin = token->trims_left ? trimmed_begin(text, from, at) : at;
    return Found{.begin = begin, .size = (token->trims_right ? trimmed_end(text, end) : end) - begin, .id = token->id};
  }
  return std::nullopt;
}

}  // namespace quintet
