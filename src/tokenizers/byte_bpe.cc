#include "tokenizers/byte_bpe.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "tokenizers/byte_alphabet.h"
#include "tokenizers/byte_bpe_word.h"

namespace quintet {
namespace {

constexpr uint32_t kSkipped = UINT32_MAX;
constexpr std::string_view kReplacement = "\uFFFD";

std::unexpected<Error> wrong(Reason reason, std::string detail) {
  return fail({.code = Code::format, .reason = reason, .detail = std::move(detail)});
}

Status check_lengths(const ByteBpeVocabulary& vocabulary) {
  const size_t count = vocabulary.tokens.size();
  const auto fits = [count](size_t size) { return size == 0 || size == count; };
  if (count == 0) return wrong(Reason::missing, "a vocabulary without tokens");
  if (fits(vocabulary.ids.size()) && fits(vocabulary.added.size())) return {};
  return wrong(Reason::mismatch, "not as many ids as tokens, of which there are " + std::to_string(count));
}

std::optional<uint32_t> find(const StringTable& tokens, const TokenIndex& index, std::string_view text) {
  return index.find(tokens, TokenIndex::hash_of(text), text, {});
}

std::string with_replacements(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_utf8(text, at);
    valid += decoded.valid ? text.substr(at, decoded.bytes) : kReplacement;
    at += decoded.bytes;
  }
  return valid;
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> ByteBpe::create(ByteBpeVocabulary vocabulary, const ByteBpeSettings& settings) {
  QUINTET_CHECK(check_lengths(vocabulary));
  QUINTET_TRY(TokenIndex index, TokenIndex::create(vocabulary.tokens));
  QUINTET_TRY(std::vector<TokenMerge> resolved, resolve_merges(vocabulary, index));
  QUINTET_TRY(MergeTable merges, MergeTable::create(std::move(resolved)));
  std::unique_ptr<ByteBpe> tokenizer(new ByteBpe(std::move(vocabulary), settings, std::move(index), std::move(merges)));
  QUINTET_CHECK(tokenizer->order_ids());
  tokenizer->find_bytes(settings.unknown);
  return std::unique_ptr<Tokenizer>(std::move(tokenizer));
}

ByteBpe::ByteBpe(ByteBpeVocabulary vocabulary, const ByteBpeSettings& settings, TokenIndex index, MergeTable merges)
    : tokens_(std::move(vocabulary.tokens)),
      ids_(std::move(vocabulary.ids)),
      added_(std::move(vocabulary.added)),
      index_(std::move(index)),
      merges_(std::move(merges)),
      pattern_(settings.pattern),
      whole_words_(settings.whole_words) {}

Result<std::vector<TokenMerge>> ByteBpe::resolve_merges(const ByteBpeVocabulary& vocabulary, const TokenIndex& index) {
  std::vector<TokenMerge> merges;
  merges.reserve(vocabulary.merges.size());
  std::string whole;
  for (size_t rank = 0; rank < vocabulary.merges.size(); ++rank) {
    const std::string_view text = vocabulary.merges[rank];
    const size_t space = text.find(' ');
    if (space == std::string_view::npos) {
      return wrong(Reason::malformed, "merge " + std::to_string(rank) + " has no space between its halves");
    }
    const std::string_view halves[] = {text.substr(0, space), text.substr(space + 1)};
    whole.assign(halves[0]).append(halves[1]);
    const auto left = find(vocabulary.tokens, index, halves[0]);
    const auto right = find(vocabulary.tokens, index, halves[1]);
    const auto merged = find(vocabulary.tokens, index, whole);
    if (!left || !right || !merged) {
      return wrong(Reason::mismatch, "merge " + std::to_string(rank) + " is of texts that are no tokens");
    }
    merges.push_back({.left = *left, .right = *right, .merged = *merged});
  }
  return merges;
}

Status ByteBpe::order_ids() {
  size_ = tokens_.size();
  bool ordered = true;
  for (uint32_t position = 0; position < ids_.size(); ++position) ordered &= ids_[position] == position;
  if (ordered) {
    ids_.clear();
    return {};
  }
  by_id_.resize(ids_.size());
  for (uint32_t position = 0; position < by_id_.size(); ++position) by_id_[position] = position;
  heap_sort(by_id_, [this](uint32_t a, uint32_t b) { return ids_[a] < ids_[b]; });
  for (size_t i = 1; i < by_id_.size(); ++i) {
    if (ids_[by_id_[i - 1]] == ids_[by_id_[i]]) {
      return wrong(Reason::duplicate, "two tokens have the id " + std::to_string(ids_[by_id_[i]]));
    }
  }
  size_ = size_t{ids_[by_id_.back()]} + 1;
  return {};
}

void ByteBpe::find_bytes(std::optional<uint32_t> unknown) {
  const std::optional<uint32_t> substitute = unknown ? position_of(*unknown) : std::nullopt;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    std::string letter;
    append_utf8(letter_of(static_cast<uint8_t>(byte)), letter);
    bytes_[byte] = find(tokens_, index_, letter).value_or(substitute.value_or(kSkipped));
  }
}

std::optional<uint32_t> ByteBpe::position_of(uint32_t id) const {
  if (ids_.empty()) return id < tokens_.size() ? std::optional(id) : std::nullopt;
  const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                                      [this](uint32_t a, uint32_t value) { return ids_[a] < value; });
  if (found == by_id_.end() || ids_[*found] != id) return std::nullopt;
  return *found;
}

void ByteBpe::encode(std::string_view text, bool, std::vector<uint32_t>& ids) const {
  if (find_invalid_utf8(text)) {
    encode_words(with_replacements(text), ids);
  } else {
    encode_words(text, ids);
  }
}

void ByteBpe::encode_words(std::string_view text, std::vector<uint32_t>& ids) const {
  ByteBpeWord word(merges_);
  std::string letters;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = word_end(pattern_, text, begin);
    const std::string_view part = text.substr(begin, end - begin);
    begin = end;
    if (const auto whole = whole_words_ ? whole_word(part, letters) : std::nullopt) {
      ids.push_back(id_at(*whole));
      continue;
    }
    word.clear();
    for (const char byte : part) {
      const uint32_t token = bytes_[static_cast<uint8_t>(byte)];
      if (token != kSkipped) word.add(token);
    }
    word.merge();
    word.for_each_token([&](uint32_t token) { ids.push_back(id_at(token)); });
  }
}

// `letters`: to be reused from word to word.
std::optional<uint32_t> ByteBpe::whole_word(std::string_view word, std::string& letters) const {
  constexpr size_t kLongest = 256;  // longer words are left to the merges, which make the same of them
  if (word.size() > kLongest) return std::nullopt;
  letters.clear();
  for (const char byte : word) append_utf8(letter_of(static_cast<uint8_t>(byte)), letters);
  const std::optional<uint32_t> position = find(tokens_, index_, letters);
  return position && !is_added(*position) ? position : std::nullopt;
}

void ByteBpe::decode(uint32_t id, bool, std::string& bytes) const {
  const std::optional<uint32_t> position = position_of(id);
  if (!position) return;
  const std::string_view text = tokens_[*position];
  if (is_added(*position) || !append_bytes_of(text, bytes)) bytes += text;
}

std::string_view ByteBpe::token(uint32_t id) const {
  const std::optional<uint32_t> position = position_of(id);
  return position ? tokens_[*position] : std::string_view();
}

}  // namespace quintet
