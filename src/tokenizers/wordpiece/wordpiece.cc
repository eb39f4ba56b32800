#include "tokenizers/wordpiece/wordpiece.h"

#include <string>

#include "base/utf8.h"

namespace quintet {
namespace {

constexpr uint32_t kContinuationHash = TokenIndex::hash_of(kContinuation);

}  // namespace

Result<std::unique_ptr<WordPiece>> WordPiece::create(StringTable vocabulary, const SpecialIds& special,
                                                     BertNormalizer normalizer) {
  if (!special.unk) {
    return fail(Code::format, Reason::missing, "the WordPiece vocabulary has no [UNK]");
  }
  for (const auto& id : {special.pad, special.unk, special.cls, special.sep, special.mask}) {
    if (id && *id >= vocabulary.size()) {
      return fail(Code::format, Reason::limit, "special token {} is outside the vocabulary of {} tokens", *id,
                  vocabulary.size());
    }
  }
  QUINTET_TRY(auto index, TokenIndex::create(vocabulary));
  return std::unique_ptr<WordPiece>(new WordPiece(std::move(vocabulary), std::move(index), *special.unk, normalizer));
}

WordPiece::WordPiece(StringTable vocabulary, TokenIndex index, uint32_t unknown, BertNormalizer normalizer)
    : vocabulary_(std::move(vocabulary)), index_(std::move(index)), unknown_(unknown), normalizer_(normalizer) {
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

Status WordPiece::append(std::string_view text, bool, std::vector<uint32_t>& ids, TokenSpelling* spelling) const {
  BertWords words(text, normalizer_);
  while (const BertWord* word = words.next()) {
    if (word->too_long()) {
      ids.push_back(unknown_);
      if (spelling) {
        spelling->text += word->text();
        spelling->ends.push_back(spelling->text.size());
      }
    } else {
      encode_word(word->text(), ids, spelling);
    }
  }
  return {};
}

Result<std::string> WordPiece::normalized(std::string_view text) const {
  std::string result;
  BertWords words(text, normalizer_);
  while (const BertWord* word = words.next()) result += word->text();
  return result;
}

void WordPiece::decode(uint32_t id, bool begins, std::string& bytes) const {
  std::string_view text = token(id);
  if (!begins) {
    if (text.starts_with(kContinuation)) {
      text.remove_prefix(kContinuation.size());
    } else {
      bytes += ' ';
    }
  }
  bytes += text;
}

void WordPiece::encode_word(std::string_view word, std::vector<uint32_t>& ids, TokenSpelling* spelling) const {
  const size_t before = ids.size(), spelled = spelling ? spelling->text.size() : 0;
  const size_t spelled_before = spelling ? spelling->ends.size() : 0;
  if (spelling) spelling->text += word;
  for (size_t begin = 0; begin < word.size();) {
    const auto piece = longest_piece(word, begin);
    if (!piece) {
      ids.resize(before);
      ids.push_back(unknown_);
      if (spelling) {
        spelling->ends.resize(spelled_before);
        spelling->ends.push_back(spelling->text.size());
      }
      return;
    }
    ids.push_back(piece->id);
    begin = piece->end;
    if (spelling) spelling->ends.push_back(spelled + begin);
  }
}

std::optional<WordPiece::Piece> WordPiece::longest_piece(std::string_view word, size_t begin) const {
  const bool continues = begin > 0;
  const std::string_view rest = word.substr(begin);
  const PieceLengths::Set lengths = (continues ? continuation_lengths_ : first_lengths_).of(rest);
  const size_t longest = std::min(lengths.longest(), rest.size());

  std::array<uint32_t, BertWord::kMaxBytes + 1> hashes;  // hashes of the candidates of each length
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
