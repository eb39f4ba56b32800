#include "tokenizers/sentencepiece/sentencepiece.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "tokenizers/sentencepiece/bpe.h"
#include "tokenizers/sentencepiece/normalizer.h"
#include "tokenizers/sentencepiece/piece_trie.h"
#include "tokenizers/sentencepiece/segmenter.h"
#include "tokenizers/sentencepiece/unigram.h"

namespace quintet {
namespace {

// The official library rejects longer ones too. The time for a text is bounded by its length times this.
constexpr size_t kMaxPieceBytes = 8000;

// Longer texts are split, since positions have 32 bits and memory is limited. No context is that long.
constexpr size_t kMaxSegmentBytes = size_t{1} << 26;

template <class... Values>
QUINTET_INLINE Failure bad_vocabulary(Reason reason, Pattern<sizeof...(Values)> detail, const Values&... values) {
  return fail(Code::format, reason, detail, values...);
}

std::string piece_name(uint32_t id) { return formatted("piece {}", id); }

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte of a piece like "<0x0A>".
std::optional<uint8_t> byte_of(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return std::nullopt;
  const int high = hex_value(piece[3]);
  const int low = hex_value(piece[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<uint8_t>(high << 4 | low);
}

Status check_pieces(const SentencePieceVocabulary& vocabulary) {
  const size_t size = vocabulary.pieces.size();
  if (size == 0) return bad_vocabulary(Reason::missing, "the SentencePiece tokenizer has no pieces");
  if (vocabulary.scores.size() != size || vocabulary.types.size() != size) {
    return bad_vocabulary(Reason::mismatch, "{} pieces with {} scores and {} types", size, vocabulary.scores.size(),
                          vocabulary.types.size());
  }
  for (uint32_t id = 0; id < size; ++id) {
    const std::string_view piece = vocabulary.pieces[id];
    if (piece.size() >= kMaxPieceBytes) {
      return bad_vocabulary(Reason::limit, "{} has {} bytes", piece_name(id), piece.size());
    }
    if (find_invalid_utf8(piece)) return bad_vocabulary(Reason::invalid_utf8, "{} is not UTF-8", piece_name(id));
    if (std::isnan(vocabulary.scores[id])) {
      return bad_vocabulary(Reason::malformed, "the score of {} is not a number", piece_name(id));
    }
    if (vocabulary.types[id] == PieceType::byte && !byte_of(piece)) {
      return bad_vocabulary(Reason::malformed, "{} is of type byte, but is not <0x00> to <0xFF>", piece_name(id));
    }
  }
  return {};
}

std::vector<uint32_t> ids_of_type(const SentencePieceVocabulary& vocabulary, PieceType type) {
  std::vector<uint32_t> ids;
  for (uint32_t id = 0; id < vocabulary.types.size(); ++id) {
    if (vocabulary.types[id] == type && !vocabulary.pieces[id].empty()) ids.push_back(id);
  }
  return ids;
}

// Gemma's tokenizer.json has no piece for one byte: it names the piece of the tabulator by its character.
std::optional<std::array<uint32_t, 256>> byte_pieces(const SentencePieceVocabulary& vocabulary) {
  const std::vector<uint32_t> ids = ids_of_type(vocabulary, PieceType::byte);
  if (ids.empty()) return std::nullopt;
  std::array<uint32_t, 256> bytes;
  bytes.fill(UnknownPieces::kNoPiece);
  for (const uint32_t id : ids) bytes[*byte_of(vocabulary.pieces[id])] = id;
  return bytes;
}

class SentencePiece final : public Tokenizer {
 public:
  SentencePiece(SentencePieceVocabulary vocabulary, SentencePieceSettings settings, CharacterMap character_map,
                TextNormalizer before)
      : vocabulary_(std::move(vocabulary)),
        before_(std::move(before)),
        splits_words_(settings.splits_words),
        unknown_surface_(std::move(settings.unknown_surface)),
        strips_space_(settings.add_dummy_prefix || settings.remove_extra_whitespaces),
        user_defined_(vocabulary_.pieces, ids_of_type(vocabulary_, PieceType::user_defined)),
        normalizer_(settings, std::move(character_map), user_defined_) {
    const auto unknown = ids_of_type(vocabulary_, PieceType::unknown);
    unknown_.id = vocabulary_.unknown_id;
    if (!unknown_.id && !unknown.empty()) unknown_.id = unknown.front();
    if (settings.byte_fallback) unknown_.bytes = byte_pieces(vocabulary_);
  }

  Status build_segmenter(SentencePieceModel model, bool as_huggingface) {
    if (model == SentencePieceModel::unigram) {
      segmenter_ = std::make_unique<SentencePieceUnigram>(vocabulary_, as_huggingface);
      return {};
    }
    QUINTET_TRY(segmenter_, SentencePieceBpe::create(vocabulary_, user_defined_));
    return {};
  }

  Result<std::string> normalized(std::string_view text) const override {
    QUINTET_TRY(std::string result, normalize(text, false));
    const bool is_prefixed = result.starts_with(kSpaceSymbol) && !text.starts_with(kSpaceSymbol);
    return is_prefixed ? result.substr(kSpaceSymbol.size()) : result;
  }

  void decode(uint32_t id, bool begins, std::string& bytes) const override {
    const PieceType type = vocabulary_.types[id];
    std::string_view piece = vocabulary_.pieces[id];
    if (type == PieceType::unknown || id == unknown_.id) {
      bytes += unknown_surface_;
    } else if (type == PieceType::byte) {
      bytes += static_cast<char>(*byte_of(piece));
    } else if (type != PieceType::control) {
      if (begins && strips_space_ && piece.starts_with(kSpaceSymbol)) piece.remove_prefix(kSpaceSymbol.size());
      append_with_spaces(piece, bytes);
    }
  }

  std::string_view token(uint32_t id) const override { return vocabulary_.pieces[id]; }
  std::optional<uint32_t> find(std::string_view token) const override {
    for (size_t id = size(); id-- != 0;) {
      if (vocabulary_.pieces[id] == token) return static_cast<uint32_t>(id);
    }
    return std::nullopt;
  }
  size_t size() const override { return vocabulary_.pieces.size(); }

 private:
  Status append(std::string_view text, bool begins, std::vector<uint32_t>& ids,
                TokenSpelling* spelling) const override {
    QUINTET_TRY(const std::string whole, normalize(text, begins));
    if (spelling) spelling->space = kSpaceSymbol;
    std::string_view rest = whole;
    while (splits_words_ && !rest.empty()) {
      const size_t end = std::min(rest.find(kSpaceSymbol, 1), rest.size());
      append_normalized(rest.substr(0, end), ids, spelling);
      rest.remove_prefix(end);
    }
    append_normalized(rest, ids, spelling);
    return {};
  }

  Result<std::string> normalize(std::string_view text, bool begins) const {
    std::string rewritten;
    if (!before_.empty()) {
      QUINTET_TRY(text, before_.normalize(text, rewritten));
    }
    return normalizer_.normalize(text, begins);
  }

  void append_normalized(std::string_view text, std::vector<uint32_t>& ids, TokenSpelling* spelling) const {
    PieceWriter out(unknown_, ids, spelling);
    while (text.size() > kMaxSegmentBytes) {
      size_t end = kMaxSegmentBytes;
      while (is_utf8_continuation(text[end])) --end;
      segmenter_->segment(text.substr(0, end), out);
      text.remove_prefix(end);
    }
    segmenter_->segment(text, out);
  }

  static void append_with_spaces(std::string_view piece, std::string& bytes) {
    for (size_t at = piece.find(kSpaceSymbol); at != piece.npos; at = piece.find(kSpaceSymbol)) {
      bytes.append(piece.substr(0, at)).append(" ");
      piece.remove_prefix(at + kSpaceSymbol.size());
    }
    bytes += piece;
  }

  // Members that others refer to come first.
  SentencePieceVocabulary vocabulary_;
  TextNormalizer before_;
  bool splits_words_;
  std::string unknown_surface_;
  bool strips_space_;
  PieceTrie user_defined_;
  UnknownPieces unknown_;
  SentencePieceNormalizer normalizer_;
  std::unique_ptr<Segmenter> segmenter_;
};

}  // namespace

Result<std::unique_ptr<Tokenizer>> create_sentencepiece(SentencePieceVocabulary vocabulary,
                                                        SentencePieceSettings settings, TextNormalizer before) {
  QUINTET_CHECK(check_pieces(vocabulary));
  if (vocabulary.unknown_id && *vocabulary.unknown_id >= vocabulary.pieces.size()) {
    return bad_vocabulary(Reason::limit, "the unknown id {} is outside the vocabulary of {} pieces",
                          *vocabulary.unknown_id, vocabulary.pieces.size());
  }
  QUINTET_TRY(auto character_map, CharacterMap::create(std::move(settings.character_map)));
  const SentencePieceModel model = settings.model;
  const bool as_huggingface = settings.as_huggingface;
  auto tokenizer = std::make_unique<SentencePiece>(std::move(vocabulary), std::move(settings), std::move(character_map),
                                                   std::move(before));
  QUINTET_CHECK(tokenizer->build_segmenter(model, as_huggingface));
  return tokenizer;
}

}  // namespace quintet
