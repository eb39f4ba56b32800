#include "tokenizers/sentencepiece/unigram.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/utf8.h"

namespace quintet {
namespace {

// The penalty of an unknown character below the worst piece, and the bonus that puts a user-defined symbol above all
// its segmentations: both as in unigram_model.cc of google/sentencepiece.
constexpr float kUnknownPenalty = 10;
constexpr double kUserDefinedPenalty = 0.1;

// Hugging Face's tokenizers use every piece: a text that normalization turns into "<mask>" becomes that token
// (huggingface/tokenizers, models/unigram/model.rs).
std::vector<uint32_t> usable_pieces(const std::vector<PieceType>& types, bool as_huggingface) {
  std::vector<uint32_t> ids;
  for (uint32_t id = 0; id < types.size(); ++id) {
    const bool is_text = types[id] == PieceType::normal || types[id] == PieceType::user_defined;
    if (is_text || as_huggingface) ids.push_back(id);
  }
  return ids;
}

}  // namespace

SentencePieceUnigram::SentencePieceUnigram(const SentencePieceVocabulary& vocabulary, bool as_huggingface)
    : vocabulary_(vocabulary),
      trie_(vocabulary.pieces, usable_pieces(vocabulary.types, as_huggingface)),
      as_huggingface_(as_huggingface) {
  float lowest = std::numeric_limits<float>::max();
  highest_score_ = std::numeric_limits<float>::min();  // the least above 0, as in the official library
  for (size_t id = 0; id < vocabulary.types.size(); ++id) {
    if (vocabulary.types[id] != PieceType::normal) continue;
    lowest = std::min(lowest, vocabulary.scores[id]);
    highest_score_ = std::max(highest_score_, vocabulary.scores[id]);
  }
  unknown_score_ = kept(static_cast<double>(lowest) - static_cast<double>(kUnknownPenalty));
}

// The official library stores sums as float and compares them as double, so that two segmentations that are equal up to
// rounding are distinguished as in the official library. If two are equal, the one with the longer last piece came
// first and stays.
void SentencePieceUnigram::Best::offer(double candidate, double kept_sum, uint32_t piece_begin, uint32_t piece_id) {
  if (begin != kUnreached && !(candidate > score)) return;
  *this = {kept_sum, piece_begin, piece_id};
}

void SentencePieceUnigram::segment(std::string_view text, PieceWriter& out) const {
  std::vector<Best> best(text.size() + 1);  // indexed by the byte where a piece ends
  best[0].begin = 0;
  for (size_t at = 0; at < text.size(); at += decode_utf8(text, at).bytes) extend(text, at, best.data());

  std::vector<uint32_t> ends;
  for (auto end = static_cast<uint32_t>(text.size()); end > 0; end = best[end].begin) ends.push_back(end);
  for (size_t i = ends.size(); i-- > 0;) {
    const Best& piece = best[ends[i]];
    const std::string_view spelled = text.substr(piece.begin, ends[i] - piece.begin);
    if (piece.id == PieceTrie::kNone || vocabulary_.types[piece.id] == PieceType::unknown) {
      out.put_unknown(spelled);
    } else {
      out.put(piece.id, spelled);
    }
  }
}

// Offers all pieces that start at a byte. If none of them is the single character there, that character is unknown.
void SentencePieceUnigram::extend(std::string_view text, size_t begin, Best* best) const {
  const size_t character_end = begin + decode_utf8(text, begin).bytes;
  const double before = best[begin].score;
  const auto piece_begin = static_cast<uint32_t>(begin);
  bool known = false;
  uint32_t node = PieceTrie::kRoot;
  for (size_t end = begin; end < text.size();) {
    node = trie_.step(node, text[end++]);
    if (node == PieceTrie::kNone) break;
    const uint32_t id = trie_.id_at(node);
    if (id == PieceTrie::kNone) continue;
    const double sum = score_of(id, end - begin) + before;
    best[end].offer(sum, kept(sum), piece_begin, id);
    known = known || end == character_end;
  }
  if (!known) {
    const double sum = kept(unknown_score_ + before);
    best[character_end].offer(sum, sum, piece_begin, PieceTrie::kNone);
  }
}

double SentencePieceUnigram::score_of(uint32_t id, size_t size) const {
  if (vocabulary_.types[id] != PieceType::user_defined) return static_cast<double>(vocabulary_.scores[id]);
  return static_cast<double>(static_cast<float>(size) * highest_score_) - kUserDefinedPenalty;
}

}  // namespace quintet
