#include "tokenizers/bpe/byte_bpe.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "tokenizers/bpe/byte_alphabet.h"

namespace quintet {
namespace {

constexpr uint32_t kSkipped = UINT32_MAX;

template <class... Values>
QUINTET_INLINE Failure wrong(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail(Code::format, reason, detail, values...);
}

Status check_lengths(const ByteBpeVocabulary& vocabulary) {
  const size_t count = vocabulary.tokens.size();
  const auto fits = [count](size_t size) { return size == 0 || size == count; };
  if (count == 0) return wrong(Reason::missing, "the vocabulary has no tokens");
  if (fits(vocabulary.ids.size()) && fits(vocabulary.added.size())) return {};
  return wrong(Reason::mismatch, "the number of ids must be that of the tokens, {}", count);
}

// A word during its merges. It is reused for every word, so that most allocate nothing.
class Word {
 public:
  explicit Word(const MergeTable& merges) : merges_(merges) {}

  void clear() { symbols_.clear(); }
  void add(uint32_t token) {
    const auto at = static_cast<uint32_t>(symbols_.size());
    symbols_.push_back({.token = token, .previous = at - 1, .next = at + 1, .rank = MergeTable::kNone});
  }
  // Merges the added symbols as long as there is a merge; the leftmost of equal ranks comes first.
  void merge();

  template <class Visit>
  void for_each_token(Visit visit) const {
    for (size_t at = 0; at < symbols_.size(); at = symbols_[at].next) visit(symbols_[at].token);
  }

 private:
  struct Symbol {
    uint32_t token, previous, next;  // positions of neighbors; the last symbol's `next` is the number of symbols
    uint32_t rank;                   // rank of its merge with the next
  };

  // Possible merges: the rank above the position. An entry is outdated if its symbol has another rank by now.
  static constexpr uint64_t candidate(uint32_t rank, uint32_t at) { return (uint64_t{rank} << 32) | at; }

  bool rank_pair(uint32_t at);
  void push_pair(uint32_t at);
  void merge_at(uint32_t at);

  const MergeTable& merges_;
  std::vector<Symbol> symbols_;
  std::vector<uint64_t> heap_;  // least first
};

// Whether the symbol and the next one can be merged.
bool Word::rank_pair(uint32_t at) {
  Symbol& symbol = symbols_[at];
  symbol.rank =
      symbol.next == symbols_.size() ? MergeTable::kNone : merges_.rank_of(symbol.token, symbols_[symbol.next].token);
  return symbol.rank != MergeTable::kNone;
}

void Word::push_pair(uint32_t at) {
  if (!rank_pair(at)) return;
  heap_.push_back(candidate(symbols_[at].rank, at));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void Word::merge_at(uint32_t at) {
  Symbol& symbol = symbols_[at];
  Symbol& taken = symbols_[symbol.next];
  symbol.token = merges_.merged(symbol.rank);
  symbol.next = taken.next;
  taken.rank = MergeTable::kNone;
  if (symbol.next != symbols_.size()) symbols_[symbol.next].previous = at;
  push_pair(at);
  if (at != 0) push_pair(symbol.previous);
}

void Word::merge() {
  heap_.clear();
  for (uint32_t at = 0; at < symbols_.size(); ++at) {
    if (rank_pair(at)) heap_.push_back(candidate(symbols_[at].rank, at));
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const uint64_t best = heap_.back();
    heap_.pop_back();
    const auto at = static_cast<uint32_t>(best);
    if (symbols_[at].rank == best >> 32) merge_at(at);
  }
}

std::optional<uint32_t> look_up(const StringTable& tokens, const TokenIndex& index, std::string_view text) {
  return index.find(tokens, TokenIndex::hash_of(text), text, {});
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> ByteBpe::create(ByteBpeVocabulary vocabulary, ByteBpeSettings settings) {
  QUINTET_CHECK(check_lengths(vocabulary));
  QUINTET_TRY(TokenIndex index, TokenIndex::create(vocabulary.tokens));
  QUINTET_TRY(std::vector<TokenMerge> resolved, resolve_merges(vocabulary, index));
  QUINTET_TRY(MergeTable merges, MergeTable::create(std::move(resolved)));
  const std::optional<uint32_t> unknown = settings.unknown;
  std::unique_ptr<ByteBpe> tokenizer(
      new ByteBpe(std::move(vocabulary), std::move(settings), std::move(index), std::move(merges)));
  QUINTET_CHECK(tokenizer->order_ids());
  tokenizer->find_bytes(unknown);
  return std::unique_ptr<Tokenizer>(std::move(tokenizer));
}

ByteBpe::ByteBpe(ByteBpeVocabulary vocabulary, ByteBpeSettings settings, TokenIndex index, MergeTable merges)
    : tokens_(std::move(vocabulary.tokens)),
      ids_(std::move(vocabulary.ids)),
      added_(std::move(vocabulary.added)),
      index_(std::move(index)),
      merges_(std::move(merges)),
      normalizer_(std::move(settings.normalizer)),
      pre_tokenizer_(std::move(settings.pre_tokenizer)),
      word_suffix_(std::move(settings.word_suffix)) {
  for (size_t i = 0; settings.ignore_merges && i < tokens_.size(); ++i) {
    longest_whole_word_ = std::max(longest_whole_word_, tokens_[i].size());
  }
}

Result<std::vector<TokenMerge>> ByteBpe::resolve_merges(const ByteBpeVocabulary& vocabulary, const TokenIndex& index) {
  std::vector<TokenMerge> merges;
  merges.reserve(vocabulary.merges.size());
  std::string whole;
  for (size_t rank = 0; rank < vocabulary.merges.size(); ++rank) {
    const std::string_view text = vocabulary.merges[rank];
    const size_t space = text.find(' ');
    if (space == std::string_view::npos) {
      return wrong(Reason::malformed, "merge {} has no space between its parts", rank);
    }
    const std::string_view halves[] = {text.substr(0, space), text.substr(space + 1)};
    whole.assign(halves[0]).append(halves[1]);
    const auto left = look_up(vocabulary.tokens, index, halves[0]);
    const auto right = look_up(vocabulary.tokens, index, halves[1]);
    const auto merged = look_up(vocabulary.tokens, index, whole);
    if (!left || !right || !merged) {
      return wrong(Reason::mismatch, "merge {} joins strings that are not tokens", rank);
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
      return wrong(Reason::duplicate, "two tokens have the id {}", ids_[by_id_[i]]);
    }
  }
  size_ = size_t{ids_[by_id_.back()]} + 1;
  return {};
}

void ByteBpe::find_bytes(std::optional<uint32_t> unknown) {
  const uint32_t substitute = unknown ? position_of(*unknown).value_or(kSkipped) : kSkipped;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    std::string letter;
    append_utf8(letter_of(static_cast<uint8_t>(byte)), letter);
    bytes_[byte] = look_up(tokens_, index_, letter).value_or(substitute);
    last_bytes_[byte] = look_up(tokens_, index_, letter + word_suffix_).value_or(substitute);
  }
}

std::optional<uint32_t> ByteBpe::position_of(uint32_t id) const {
  if (ids_.empty()) return id < tokens_.size() ? std::optional(id) : std::nullopt;
  const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                                      [this](uint32_t a, uint32_t value) { return ids_[a] < value; });
  if (found == by_id_.end() || ids_[*found] != id) return std::nullopt;
  return *found;
}

Result<std::string> ByteBpe::normalized(std::string_view text) const {
  std::string buffer;
  QUINTET_TRY(text, normalizer_.normalize(text, buffer));
  return std::string(text);
}

// A token stands for the next bytes of the word that are its own, after few bytes without a token, or else, as the
// unknown token does, for one.
void ByteBpe::spell(std::string_view word, std::span<const uint32_t> ids, TokenSpelling& spelling) const {
  constexpr size_t kMaxSkipped = 16;
  const size_t begin = spelling.text.size();
  spelling.text += word;
  std::string bytes;
  for (size_t at = 0; const uint32_t id : ids) {
    bytes.clear();
    decode(id, false, bytes);
    if (!word_suffix_.empty() && bytes.ends_with(' ')) bytes.pop_back();
    const size_t skipped = word.substr(at, bytes.size() + kMaxSkipped).find(bytes);
    at = std::min(word.size(), at + (skipped == word.npos ? 1 : skipped + bytes.size()));
    spelling.ends.push_back(begin + at);
  }
}

Status ByteBpe::append(std::string_view text, bool, std::vector<uint32_t>& ids, TokenSpelling* spelling) const {
  Word word(merges_);
  std::string normalized, letters, bytes;
  const auto encode_word = [&](std::string_view part) {
    if (pre_tokenizer_.spells_bytes()) {
      bytes.clear();
      append_bytes_of(part, bytes);
      part = bytes;
    }
    if (const auto whole = whole_word(part, letters)) {
      ids.push_back(id_at(*whole));
      return;
    }
    word.clear();
    for (size_t i = 0; i < part.size(); ++i) {
      const auto& tokens = i + 1 == part.size() ? last_bytes_ : bytes_;
      const uint32_t token = tokens[static_cast<uint8_t>(part[i])];
      if (token != kSkipped) word.add(token);
    }
    word.merge();
    word.for_each_token([&](uint32_t token) { ids.push_back(id_at(token)); });
  };
  QUINTET_TRY(const std::string_view whole, normalizer_.normalize(text, normalized));
  if (!spelling) return pre_tokenizer_.for_each_word(whole, encode_word);
  return pre_tokenizer_.for_each_word(whole, [&](std::string_view part) {
    const size_t before = ids.size();
    encode_word(part);
    spell(part, std::span(ids).subspan(before), *spelling);
  });
}

// `letters` is reused from word to word.
std::optional<uint32_t> ByteBpe::whole_word(std::string_view word, std::string& letters) const {
  if (word.size() > longest_whole_word_) return std::nullopt;
  letters.clear();
  for (const char byte : word) append_utf8(letter_of(static_cast<uint8_t>(byte)), letters);
  const std::optional<uint32_t> position = look_up(tokens_, index_, letters);
  return position && !is_added(*position) ? position : std::nullopt;
}

void ByteBpe::decode(uint32_t id, bool, std::string& bytes) const {
  const std::optional<uint32_t> position = position_of(id);
  if (!position) return;
  std::string_view text = tokens_[*position];
  if (is_added(*position)) {
    bytes += text;
    return;
  }
  // Words are separated by spaces, of which the suffix is all that is left.
  const bool ends_word = !word_suffix_.empty() && text.ends_with(word_suffix_);
  if (ends_word) text.remove_suffix(word_suffix_.size());
  if (!append_bytes_of(text, bytes)) bytes += text;
  if (ends_word) bytes += ' ';
}

std::string_view ByteBpe::token(uint32_t id) const {
  const std::optional<uint32_t> position = position_of(id);
  return position ? tokens_[*position] : std::string_view();
}

std::optional<uint32_t> ByteBpe::find(std::string_view token) const {
  return look_up(tokens_, index_, token).transform([this](uint32_t position) { return id_at(position); });
}

}  // namespace quintet
