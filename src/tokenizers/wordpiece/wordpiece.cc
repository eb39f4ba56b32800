#include "tokenizers/wordpiece/wordpiece.h"

#include <string>

#include "base/utf8.h"

namespace quintet {
namespace {

constexpr uint32_t kContinuationHash = TokenIndex::hash_of(kContinuation);

// Text is compared with special tokens at every bracket, so they must be short.
constexpr size_t kMaxSpecialBytes = 64;

bool is_bracketed(std::string_view token) {
  return token.size() <= kMaxSpecialBytes && token.starts_with('[') && token.ends_with(']');
}

}  // namespace

Result<WordPiece> WordPiece::create(StringTable vocabulary, WordPieceSpecials specials, BertNormalizer normalizer) {
  for (const uint32_t id : {specials.pad, specials.unk, specials.cls, specials.sep, specials.mask}) {
    if (id >= vocabulary.size()) {
      return fail({.code = Code::format,
                   .reason = Reason::limit,
                   .detail = "special token " + std::to_string(id) + " is outside the vocabulary of " +
                             std::to_string(vocabulary.size()) + " tokens"});
    }
  }
  QUINTET_TRY(auto index, TokenIndex::create(vocabulary));
  return WordPiece(std::move(vocabulary), std::move(index), specials, normalizer);
}

WordPiece::WordPiece(StringTable vocabulary, TokenIndex index, WordPieceSpecials specials, BertNormalizer normalizer)
    : vocabulary_(std::move(vocabulary)), index_(std::move(index)), specials_(specials), normalizer_(normalizer) {
  for (size_t id = 0; id < vocabulary_.size(); ++id) {
    const std::string_view token = vocabulary_[id];
    first_lengths_.add(token);
    if (token.starts_with(kContinuation)) {
      continuation_lengths_.add(token.substr(kContinuation.size()));
    }
  }
}

std::optional<uint32_t> WordPiece::find(std::string_view token) const {
  return index_.find(vocabulary_, TokenIndex::hash_of(token), {}, token);
}

void WordPiece::encode(std::string_view text, std::vector<uint32_t>& ids) const {
  size_t begin = 0;  // of the remaining text
  for (size_t at = text.find('['); at != text.npos; at = text.find('[', at)) {
    if (const auto special = special_at(text, at)) {
      encode_plain(text.substr(begin, at - begin), ids);
      ids.push_back(special->id);
      begin = at = special->end;
    } else {
      ++at;
    }
  }
  encode_plain(text.substr(begin), ids);
}

// The longest special token at `at`.
std::optional<WordPiece::Piece> WordPiece::special_at(std::string_view text, size_t at) const {
  std::optional<Piece> longest;
  for (const uint32_t id : {specials_.pad, specials_.unk, specials_.cls, specials_.sep, specials_.mask}) {
    const std::string_view token = vocabulary_[id];
    if (!is_bracketed(token) || !text.substr(at).starts_with(token)) continue;
    if (!longest || at + token.size() > longest->end) longest = {id, at + token.size()};
  }
  return longest;
}

void WordPiece::encode_plain(std::string_view text, std::vector<uint32_t>& ids) const {
  BertWords words(text, normalizer_);
  while (const BertWord* word = words.next()) {
    if (word->too_long()) {
      ids.push_back(specials_.unk);
    } else {
      encode_word(word->text(), ids);
    }
  }
}

void WordPiece::encode_word(std::string_view word, std::vector<uint32_t>& ids) const {
  const size_t before = ids.size();
  for (size_t begin = 0; begin < word.size();) {
    const auto piece = longest_piece(word, begin);
    if (!piece) {
      ids.resize(before);
      ids.push_back(specials_.unk);
      return;
    }
    ids.push_back(piece->id);
    begin = piece->end;
  }
}

std::optional<WordPiece::Piece> WordPiece::longest_piece(std::string_view word, size_t begin) const {
  const bool continues = begin > 0;
  const std::string_view rest = word.substr(begin);
  const PieceLengths::Set lengths = (continues ? continuation_lengths_ : first_lengths_).of(rest);
  const size_t longest = std::min(lengths.longest(), rest.size());

  std::array<uint32_t, BertWord::kMaxBytes + 1> hashes;  // of the candidates of each length
  hashes[0] = continues ? kContinuationHash : TokenIndex::kEmptyHash;
  for (size_t i = 0; i < longest; ++i) hashes[i + 1] = TokenIndex::extend(hashes[i], rest[i]);

  for (size_t length = longest; length > 0; --length) {
    const bool inside_character = length < rest.size() && is_utf8_continuation(rest[length]);
    if (inside_character || !lengths.has(length)) continue;
    const auto id = index_.find(vocabulary_, hashes[length], continues ? kContinuation : "", rest.substr(0, length));
    if (id) return Piece{*id, begin + length};
  }
  return std::nullopt;
}

}  // namespace quintet
