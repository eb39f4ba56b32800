#include "tokenizers/token_places.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/unicode/properties.h"
#include "base/utf8.h"

namespace quintet {
namespace {

// More characters than this do not become something together, such as a letter and its marks.
constexpr size_t kMaxTogether = 8;

struct Character {
  uint32_t begin, end;         // bytes
  uint32_t utf16, utf16_size;  // its place
  bool is_space;
};

std::vector<Character> characters_of(std::string_view text) {
  constexpr char32_t kFirstOfTwoUnits = 0x10000;
  std::vector<Character> characters;
  uint32_t utf16 = 0;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    const uint32_t units = decoded.code_point >= kFirstOfTwoUnits ? 2 : 1;
    characters.push_back({.begin = static_cast<uint32_t>(at),
                          .end = static_cast<uint32_t>(at + decoded.bytes),
                          .utf16 = utf16,
                          .utf16_size = units,
                          .is_space = is_white_space(decoded.code_point)});
    utf16 += units;
    at += decoded.bytes;
  }
  return characters;
}

// Finds for each byte of a spelling the character of the text that it stands for.
class Alignment {
 public:
  Alignment(std::string_view text, const TokenSpelling& spelling,
            FunctionRef<Result<std::string>(std::string_view)> normalized)
      : text_(text), characters_(characters_of(text)), spelling_(spelling), normalized_(normalized) {}

  Status align() {
    sources_.reserve(spelling_.text.size());
    while (next_ < characters_.size() && sources_.size() < spelling_.text.size()) QUINTET_CHECK(step());
    sources_.resize(spelling_.text.size(), characters_.empty() ? 0 : static_cast<uint32_t>(characters_.size() - 1));
    return {};
  }

  std::vector<TokenPlace> places() const {
    std::vector<TokenPlace> places;
    size_t begin = 0;
    for (const size_t end : spelling_.ends) {
      places.push_back(place_of(begin, end));
      begin = end;
    }
    return places;
  }

 private:
  std::string_view rest() const { return std::string_view(spelling_.text).substr(sources_.size()); }
  std::string_view source(size_t first, size_t count) const {
    return text_.substr(characters_[first].begin, characters_[first + count - 1].end - characters_[first].begin);
  }
  // Text may also have what spells white space.
  bool is_like_space(size_t character) const {
    return characters_[character].is_space || source(character, 1) == spelling_.space;
  }
  // The size of the white space mark at the beginning of a text; 0: there is none.
  size_t space_size(std::string_view text) const {
    if (text.starts_with(spelling_.space)) return spelling_.space.size();
    const DecodedCodePoint first = text.empty() ? DecodedCodePoint() : decode_utf8(text, 0);
    return is_white_space(first.code_point) ? first.bytes : 0;
  }
  void take(size_t bytes, size_t character) {
    sources_.insert(sources_.end(), bytes, static_cast<uint32_t>(character));
  }

  Status step() {
    const std::string_view character = source(next_, 1);
    const bool is_space = is_like_space(next_);
    if (!is_space && rest().starts_with(character)) {
      take(character.size(), next_++);
      return {};
    }
    if (is_space) {
      step_over_spaces();
      return {};
    }
    QUINTET_TRY(const bool is_found, step_over_rewritten());
    return is_found ? Status() : step_over_unknown();
  }

  // If the text has more spaces than the spelling, its last ones count. If it has fewer, those in front were inserted.
  void step_over_spaces() {
    size_t end = next_;
    while (end < characters_.size() && is_like_space(end)) ++end;
    std::vector<size_t> sizes;
    std::string_view spelled = rest();
    while (const size_t size = space_size(spelled)) {
      sizes.push_back(size);
      spelled.remove_prefix(size);
    }
    for (size_t i = 0; i < sizes.size(); ++i) {
      const size_t behind = sizes.size() - i;  // itself included
      take(sizes[i], behind > end - next_ ? next_ : end - behind);
    }
    next_ = end;
  }

  // The text before the next place where the spelling has the character was inserted; if there is no such place nearby,
  // the character was left out.
  Status step_over_unknown() {
    constexpr size_t kMaxInserted = 32;
    QUINTET_TRY(const std::string form, normalized_(source(next_, 1)));
    const size_t space = space_size(rest());
    const size_t inserted = space != 0 ? space : rest().substr(0, kMaxInserted).find(form);
    if (inserted == std::string_view::npos) {
      ++next_;
    } else {
      take(inserted, next_);
    }
    return {};
  }

  // Consumes the characters that the spelling has in another form; false if it has none.
  Result<bool> step_over_rewritten() {
    for (size_t count = 1; count <= kMaxTogether && next_ + count <= characters_.size(); ++count) {
      if (characters_[next_ + count - 1].is_space) break;
      QUINTET_TRY(const std::string form, normalized_(source(next_, count)));
      if (form.empty()) {
        ++next_;
        return true;
      }
      if (!rest().starts_with(form)) continue;
      take_form(form, count);
      next_ += count;
      return true;
    }
    return false;
  }

  // If the form has fewer characters, the first has replaced those that are missing: a letter its marks.
  void take_form(std::string_view form, size_t count) {
    const size_t size = count_characters(form), missing = size < count ? count - size : 0;
    for (size_t i = 0; i < size; ++i) {
      const size_t bytes = decode_utf8(form, 0).bytes;
      take(bytes, next_ + (i == 0 ? 0 : std::min(i + missing, count - 1)));
      form.remove_prefix(bytes);
    }
  }

  TokenPlace place_of(size_t begin, size_t end) const {
    if (characters_.empty()) return {0, 0};
    size_t first = begin, last = end;
    while (first < last && characters_[sources_[first]].is_space) ++first;
    while (first < last && characters_[sources_[last - 1]].is_space) --last;
    if (first == last) std::tie(first, last) = std::pair(begin, end);
    if (first == last) {
      const uint32_t at = first == 0 ? 0 : end_of(first - 1);
      return {at, at};
    }
    const uint32_t start = characters_[sources_[first]].utf16;
    return {start, std::max(start, end_of(last - 1))};
  }
  uint32_t end_of(size_t byte) const {
    const Character& character = characters_[sources_[byte]];
    return character.utf16 + character.utf16_size;
  }

  std::string_view text_;
  std::vector<Character> characters_;
  const TokenSpelling& spelling_;
  FunctionRef<Result<std::string>(std::string_view)> normalized_;
  size_t next_ = 0;                // the next character
  std::vector<uint32_t> sources_;  // of each byte of the spelling: the number of a character
};

}  // namespace

Result<std::vector<TokenPlace>> find_token_places(std::string_view text, const TokenSpelling& spelling,
                                                  FunctionRef<Result<std::string>(std::string_view)> normalized) {
  Alignment alignment(text, spelling, normalized);
  QUINTET_CHECK(alignment.align());
  return alignment.places();
}

}  // namespace quintet
