#include "runtime/tokenize/text_frame.h"

#include <algorithm>
#include <string>

namespace quintet {
namespace {

using Kind = FramePart::Kind;
using Parts = std::vector<FramePart>;

void add_token(std::optional<uint32_t> id, Parts& parts) {
  if (id) parts.push_back({.id = *id});
}

// Returns both texts in their single form, one after the other.
Parts pair_of(const Parts& single) {
  Parts pair = single;
  for (FramePart part : single) {
    if (part.kind == Kind::first) part.kind = Kind::second;
    part.type = 1;
    pair.push_back(part);
  }
  return pair;
}

// [CLS] A [SEP] B [SEP], where the single form may lack its end; with a second [SEP] if it has one, as in RoBERTa.
Parts separated_pair(const Parts& single, uint32_t separator) {
  Parts pair = single;
  const bool has_end = single.back().kind == Kind::token;
  pair.push_back({.id = separator});
  pair.push_back({.kind = Kind::second});
  pair.push_back(has_end ? single.back() : FramePart{.id = separator});
  return pair;
}

TextFrame bert_frame(const SpecialIds& special) {
  TextFrame frame;
  add_token(special.cls, frame.single);
  frame.single.push_back({.kind = Kind::first});
  add_token(special.sep, frame.single);
  frame.pair = frame.single;
  frame.pair.push_back({.kind = Kind::second, .type = 1});
  if (special.sep) frame.pair.push_back({.id = *special.sep, .type = 1});
  return frame;
}

// Computes how much of each text is kept if `max` tokens fit. The longer one is cut to what the other leaves. If both
// have more than half, each gets half, and the longer one the remaining token of an odd number.
struct Kept {
  size_t first, second;
};
Kept longest_first(size_t first, size_t second, size_t max) {
  if (first <= max && second <= max - first) return {first, second};
  const auto [shorter, longer] = std::minmax(first, second);
  const size_t kept = shorter <= max / 2 ? shorter : max / 2;
  return first > second ? Kept{max - kept, kept} : Kept{kept, max - kept};
}

TextPair put_into(const Parts& parts, std::span<const uint32_t> first, std::span<const uint32_t> second) {
  TextPair out;
  for (const FramePart& part : parts) {
    const std::span<const uint32_t> ids = part.kind == Kind::first    ? first
                                          : part.kind == Kind::second ? second
                                                                      : std::span(&part.id, 1);
    out.ids.insert(out.ids.end(), ids.begin(), ids.end());
    out.types.resize(out.ids.size(), part.type);
  }
  return out;
}

}  // namespace

TextFrame frame_of(const TokenizerDescription& tokenizer, bool adds_bos, bool decodes) {
  const bool is_bert = tokenizer.wordpiece() && !decodes;
  if (tokenizer.frame.empty() && is_bert) return bert_frame(tokenizer.special);
  TextFrame frame = tokenizer.frame;
  if (frame.empty()) {
    if (adds_bos) add_token(tokenizer.special.bos, frame.single);
    frame.single.push_back({.kind = Kind::first});
    if (tokenizer.add_eos.value_or(false)) add_token(tokenizer.special.eos, frame.single);
  }
  if (!frame.pair.empty()) return frame;
  const auto separator = tokenizer.special.sep;
  frame.pair = separator && !decodes ? separated_pair(frame.single, *separator) : pair_of(frame.single);
  return frame;
}

Status check_frame(const TextFrame& frame, size_t vocabulary_size) {
  for (const Parts* parts : {&frame.single, &frame.pair}) {
    for (const FramePart& part : *parts) {
      if (part.kind != Kind::token || part.id < vocabulary_size) continue;
      return fail(Code::format, Reason::limit, "the token {} is added to every text, but the vocabulary has {} tokens",
                  part.id, vocabulary_size);
    }
  }
  return {};
}

FrameSize frame_size(const TextFrame& frame) {
  const Parts& parts = frame.single;
  const auto text = std::ranges::find(parts, Kind::first, &FramePart::kind);
  const auto ahead = static_cast<size_t>(text - parts.begin());
  return {ahead, parts.size() - ahead - (text == parts.end() ? 0 : 1)};
}

std::vector<uint32_t> frame_text(const TextFrame& frame, std::span<const uint32_t> text) {
  return put_into(frame.single, text, {}).ids;
}

Result<TextPair> frame_pair(const TextFrame& frame, std::span<const uint32_t> first, std::span<const uint32_t> second,
                            size_t max_length) {
  const auto tokens = static_cast<size_t>(std::ranges::count(frame.pair, Kind::token, &FramePart::kind));
  if (max_length != 0) {
    if (max_length < tokens) {
      return input_error(Reason::out_of_range, "maxLength {}; a pair of texts gets {} tokens", max_length, tokens);
    }
    const Kept kept = longest_first(first.size(), second.size(), max_length - tokens);
    first = first.first(kept.first);
    second = second.first(kept.second);
  }
  return put_into(frame.pair, first, second);
}

}  // namespace quintet
