#include "tokenizers/sentencepiece/bpe.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/sentencepiece/normalizer.h"

namespace quintet {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

uint32_t extend_hash(uint32_t hash, std::string_view text) {
  for (const char byte : text) hash = TokenIndex::extend(hash, byte);
  return hash;
}

bool is_text(PieceType type) {
  return type == PieceType::normal || type == PieceType::user_defined || type == PieceType::unused;
}

// Whether a piece has a space after another character.
bool joins_words(std::string_view piece) {
  while (piece.starts_with(kSpaceSymbol)) piece.remove_prefix(kSpaceSymbol.size());
  return piece.find(kSpaceSymbol) != piece.npos;
}

}  // namespace

// The symbols of a text, or of one word in it, and their possible merges.
class SentencePieceBpe::Row {
 public:
  Row(const SentencePieceBpe& model, std::string_view text)
      : model_(model), text_(text), splits_(model.unused_.size()) {}

  void add(size_t begin, size_t size, std::optional<uint32_t> frozen_as);
  // Performs all merges, writes the pieces and clears the symbols.
  void finish(PieceWriter& out);

 private:
  struct Symbol {
    uint32_t begin, size;     // place in the text; a symbol that was merged into the previous one has size 0
    uint32_t previous, next;  // among the remaining ones; kNone at the ends
    uint32_t hash;            // hash of its text
    uint32_t id;              // kNone if it is not known
    bool frozen;              // a user-defined symbol, which is never merged
  };

  struct Join {
    float score;
    uint32_t left;  // the left symbol of the pair
    uint32_t size;  // size of both; if it differs, one of them has changed since
    uint32_t id;

    // Whether the other one comes first.
    bool operator<(const Join& other) const {
      return score < other.score || (score == other.score && left > other.left);
    }
  };

  std::string_view text_of(const Symbol& symbol) const { return text_.substr(symbol.begin, symbol.size); }
  bool consider(uint32_t left);
  void push(uint32_t left);
  void join_all();
  void join(const Join& join);
  void write(const Symbol& symbol, PieceWriter& out) const;
  void write_parts(std::string_view piece, PieceWriter& out) const;

  const SentencePieceBpe& model_;
  std::string_view text_;
  std::vector<Symbol> symbols_;
  std::vector<Join> joins_;  // a heap
  // The last merge that formed each unused piece: the size of its left part.
  std::vector<uint32_t> splits_;
};

void SentencePieceBpe::Row::add(size_t begin, size_t size, std::optional<uint32_t> frozen_as) {
  const auto index = static_cast<uint32_t>(symbols_.size());
  if (index > 0) symbols_.back().next = index;
  symbols_.push_back({.begin = static_cast<uint32_t>(begin),
                      .size = static_cast<uint32_t>(size),
                      .previous = index > 0 ? index - 1 : kNone,
                      .next = kNone,
                      .hash = TokenIndex::hash_of(text_.substr(begin, size)),
                      .id = frozen_as.value_or(kNone),
                      .frozen = frozen_as.has_value()});
}

void SentencePieceBpe::Row::finish(PieceWriter& out) {
  if (symbols_.empty()) return;
  join_all();
  for (uint32_t at = 0; at != kNone; at = symbols_[at].next) write(symbols_[at], out);
  symbols_.clear();
}

void SentencePieceBpe::Row::join_all() {
  for (uint32_t left = 0; left + 1 < symbols_.size(); ++left) consider(left);
  std::make_heap(joins_.begin(), joins_.end());
  while (!joins_.empty()) {
    std::pop_heap(joins_.begin(), joins_.end());
    const Join best = joins_.back();
    joins_.pop_back();
    join(best);
  }
}

void SentencePieceBpe::Row::join(const Join& join) {
  Symbol& left = symbols_[join.left];
  if (left.size == 0 || left.next == kNone) return;
  Symbol& right = symbols_[left.next];
  if (left.size + right.size != join.size) return;

  left.hash = extend_hash(left.hash, text_of(right));
  left.id = join.id;
  left.size = join.size;
  left.next = right.next;
  right.size = 0;
  if (left.next != kNone) symbols_[left.next].previous = join.left;
  if (left.previous != kNone) push(left.previous);
  push(join.left);
}

void SentencePieceBpe::Row::push(uint32_t left) {
  if (consider(left)) std::push_heap(joins_.begin(), joins_.end());
}

// Adds the merge of a symbol and the next one, if they form a piece.
bool SentencePieceBpe::Row::consider(uint32_t left) {
  const Symbol& first = symbols_[left];
  if (first.next == kNone) return false;
  const Symbol& second = symbols_[first.next];
  if (first.frozen || second.frozen || size_t{first.size} + second.size > model_.longest_piece_) return false;
  const std::string_view rest = text_of(second);
  const auto id = model_.find(extend_hash(first.hash, rest), text_of(first), rest);
  if (!id) return false;
  joins_.push_back({model_.vocabulary_.scores[*id], left, first.size + second.size, *id});
  if (const auto unused = model_.unused_index(*id)) splits_[*unused] = first.size;
  return true;
}

void SentencePieceBpe::Row::write(const Symbol& symbol, PieceWriter& out) const {
  std::optional<uint32_t> id = symbol.id;
  if (symbol.id == kNone) id = model_.find(symbol.hash, text_of(symbol), {});
  if (!id) {
    out.put_unknown(text_of(symbol));
  } else if (model_.unused_index(*id)) {
    write_parts(text_of(symbol), out);
  } else {
    out.put(*id, text_of(symbol));
  }
}

// An unused piece is only a step towards others, so it is written as its parts.
void SentencePieceBpe::Row::write_parts(std::string_view piece, PieceWriter& out) const {
  std::vector<std::string_view> parts = {piece};
  while (!parts.empty()) {
    const std::string_view part = parts.back();
    parts.pop_back();
    const auto id = model_.find(TokenIndex::hash_of(part), part, {});
    const auto unused = id ? model_.unused_index(*id) : std::nullopt;
    if (!id) {
      out.put_unknown(part);
    } else if (!unused || splits_[*unused] == 0) {  // 0: a single character
      out.put(*id, part);
    } else {
      parts.push_back(part.substr(splits_[*unused]));
      parts.push_back(part.substr(0, splits_[*unused]));
    }
  }
}

Result<std::unique_ptr<Segmenter>> SentencePieceBpe::create(const SentencePieceVocabulary& vocabulary,
                                                            const PieceTrie& user_defined) {
  QUINTET_TRY(auto index, TokenIndex::create(vocabulary.pieces));
  return std::unique_ptr<Segmenter>(new SentencePieceBpe(vocabulary, user_defined, std::move(index)));
}

SentencePieceBpe::SentencePieceBpe(const SentencePieceVocabulary& vocabulary, const PieceTrie& user_defined,
                                   TokenIndex index)
    : vocabulary_(vocabulary), user_defined_(user_defined), index_(std::move(index)) {
  for (uint32_t id = 0; id < vocabulary.types.size(); ++id) {
    const PieceType type = vocabulary.types[id];
    if (type == PieceType::unused) unused_.push_back(id);
    if (!is_text(type)) continue;
    longest_piece_ = std::max(longest_piece_, vocabulary.pieces[id].size());
    if (type != PieceType::user_defined && joins_words(vocabulary.pieces[id])) words_stand_alone_ = false;
  }
  if (!unused_.empty()) words_stand_alone_ = false;  // the parts may have been seen in another word
}

void SentencePieceBpe::segment(std::string_view text, PieceWriter& out) const {
  Row row(*this, text);
  bool after_space = false;
  for (size_t at = 0; at < text.size();) {
    std::optional<PieceTrie::Match> symbol;
    if (!user_defined_.empty()) symbol = user_defined_.longest(text, at);
    const size_t size = symbol ? symbol->size : decode_utf8(text, at).bytes;
    const bool space = text.substr(at, size) == kSpaceSymbol;
    if (words_stand_alone_ && space && !after_space) row.finish(out);
    row.add(at, size, symbol ? std::optional(symbol->id) : std::nullopt);
    after_space = space;
    at += size;
  }
  row.finish(out);
}

std::optional<uint32_t> SentencePieceBpe::find(uint32_t hash, std::string_view left, std::string_view right) const {
  const auto id = index_.find(vocabulary_.pieces, hash, left, right);
  return id && is_text(vocabulary_.types[*id]) ? id : std::nullopt;
}

std::optional<size_t> SentencePieceBpe::unused_index(uint32_t id) const {
  const auto found = std::lower_bound(unused_.begin(), unused_.end(), id);
  if (found == unused_.end() || *found != id) return std::nullopt;
  return static_cast<size_t>(found - unused_.begin());
}

}  // namespace quintet
