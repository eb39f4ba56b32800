#include "tokenizers/text_normalizer.h"

#include <algorithm>
#include <utility>

#include "base/unicode/compatibility.h"
#include "base/unicode/properties.h"
#include "base/utf8.h"
#include "tokenizers/split_expression/expression_matcher.h"

namespace quintet {
namespace {

std::string with_replacements(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    valid += decoded.valid ? text.substr(at, decoded.bytes) : kReplacementUtf8;
    at += decoded.bytes;
  }
  return valid;
}

constexpr char32_t kLeftOut = UINT32_MAX;

// Character by character. `rewrite` returns another one, or kLeftOut.
void append_rewritten(std::string_view text, char32_t (*rewrite)(char32_t), std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_valid_utf8(text, at);
    at += decoded.bytes;
    const char32_t c = rewrite(decoded.code_point);
    if (c != kLeftOut) append_utf8(c, out);
    // The only character with a longer lower case (SpecialCasing.txt).
    constexpr char32_t kCapitalIWithDot = 0x130, kDotAbove = 0x307;
    if (decoded.code_point == kCapitalIWithDot && c == 'i') append_utf8(kDotAbove, out);
  }
}

// Marks as of Unicode 9.0, like the reference: two were to become letters.
char32_t without_mark(char32_t c) {
  const bool is_mark = subcategory(c) == Subcategory::mark && character_properties(c).age() != Age::later;
  return is_mark || c == 0x1CF2 || c == 0x1CF3 ? kLeftOut : c;
}

// SentencePiece's rules for machine translation, as huggingface/tokenizers has them (normalizers/unicode.rs, do_nmt).
char32_t as_in_nmt(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1680 || (c >= 0x200B && c <= 0x200F) || c == 0x2028 ||
      c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == kReplacementCharacter) {
    return U' ';
  }
  const bool is_control = (c >= 1 && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
  return is_control ? kLeftOut : c;
}

std::string_view stripped(std::string_view text, bool left, bool right) {
  size_t begin = text.size(), end = 0;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    if (!is_white_space(decoded.code_point)) {
      begin = std::min(begin, at);
      end = at + decoded.bytes;
    }
    at += decoded.bytes;
  }
  if (!left) begin = 0;
  if (!right) end = text.size();
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

Status append_replaced(std::string_view text, const SplitExpression& pattern, std::string_view content,
                       std::string& out) {
  ExpressionSearch search(ExpressionSearch::max_steps(text.size()));
  ExpressionMatcher matches(pattern, text, search);
  size_t at = 0;
  while (const auto match = matches.next()) {
    out.append(text.substr(at, match->begin - at)).append(content);
    at = match->end;
  }
  out += text.substr(at);
  return search.status();
}

}  // namespace

Result<TextNormalizer> TextNormalizer::create(std::vector<NormalizerStep> steps) {
  TextNormalizer normalizer;
  for (NormalizerStep& step : steps) {
    std::optional<SplitExpression> pattern;
    if (step.kind == NormalizerKind::replace) {
      QUINTET_TRY(pattern, SplitExpression::compile(step.pattern));
    }
    if (step.kind == NormalizerKind::nfc || step.kind == NormalizerKind::nfkc) normalizer.nfc_.emplace();
    normalizer.steps_.push_back({.description = std::move(step), .pattern = std::move(pattern)});
  }
  return normalizer;
}

Result<std::string_view> TextNormalizer::normalize(std::string_view text, std::string& buffer) const {
  if (find_invalid_utf8(text)) {
    buffer = with_replacements(text);
    text = buffer;
  }
  for (const Step& step : steps_) {
    std::string out;
    QUINTET_TRY(const bool is_changed, apply(step, text, out));
    if (!is_changed) continue;
    buffer = std::move(out);
    text = buffer;
  }
  return text;
}

Result<bool> TextNormalizer::apply(const Step& step, std::string_view text, std::string& out) const {
  const NormalizerStep& description = step.description;
  out.reserve(text.size());
  switch (description.kind) {
    case NormalizerKind::nfc:
      if (NfcNormalizer::is_surely_normalized(text)) return false;
      nfc_->normalize(text, out);
      return true;
    case NormalizerKind::nfd:
      append_nfd(text, out);
      return true;
    case NormalizerKind::nfkc:
    case NormalizerKind::nfkd: {
      if (!may_decompose_compatibly(text)) return false;
      std::string compatible;
      append_compatible(text, compatible);
      if (description.kind == NormalizerKind::nfkd) {
        append_nfd(compatible, out);
      } else {
        nfc_->normalize(compatible, out);
      }
      return true;
    }
    case NormalizerKind::lowercase:
      append_rewritten(text, to_lowercase, out);
      return true;
    case NormalizerKind::strip_accents:
      append_rewritten(text, without_mark, out);
      return true;
    case NormalizerKind::nmt:
      append_rewritten(text, as_in_nmt, out);
      return true;
    case NormalizerKind::strip:
      out = stripped(text, description.left, description.right);
      return true;
    case NormalizerKind::prepend:
      if (text.empty()) return false;
      out.append(description.content).append(text);
      return true;
    case NormalizerKind::replace:
      QUINTET_CHECK(append_replaced(text, *step.pattern, description.content, out));
      return true;
  }
  return false;
}

}  // namespace quintet
