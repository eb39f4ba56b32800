#pragma once
// Splits normalized text into the pieces of a vocabulary, and writes their ids.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizers/token_places.h"

namespace quintet {

struct UnknownPieces {
  static constexpr uint32_t kNoPiece = UINT32_MAX;

  std::optional<uint32_t> id;                      // unknown text is left out if absent
  std::optional<std::array<uint32_t, 256>> bytes;  // the ids of byte pieces, if they are used; kNoPiece: there is none
};

// Receives ids, and characters without a piece. These become the pieces of their bytes if each byte has one, or else
// the unknown piece, once for consecutive ones.
class PieceWriter {
 public:
  // `spelling`: of all ids; null if it is not needed.
  PieceWriter(const UnknownPieces& unknown, std::vector<uint32_t>& ids, TokenSpelling* spelling)
      : unknown_(unknown), ids_(ids), spelling_(spelling) {}

  void put(uint32_t id, std::string_view text) {
    ids_.push_back(id);
    after_unknown_ = false;
    if (spelling_) spell(text);
  }

  void put_unknown(std::string_view text) {
    if (put_bytes(text)) {
      after_unknown_ = false;
      return;
    }
    const bool is_new = unknown_.id && !after_unknown_;
    if (is_new) ids_.push_back(*unknown_.id);
    after_unknown_ = true;
    if (!spelling_) return;
    if (unknown_.id && !is_new) spelling_->ends.pop_back();
    if (unknown_.id) spell(text);
  }

 private:
  bool put_bytes(std::string_view text) {
    if (!unknown_.bytes) return false;
    const size_t begin = ids_.size();
    for (const char byte : text) {
      const uint32_t id = (*unknown_.bytes)[static_cast<uint8_t>(byte)];
      if (id == UnknownPieces::kNoPiece) {
        ids_.resize(begin);
        return false;
      }
      ids_.push_back(id);
    }
    for (size_t i = 0; spelling_ && i < text.size(); ++i) spell(text.substr(i, 1));
    return true;
  }
  void spell(std::string_view text) {
    spelling_->text += text;
    spelling_->ends.push_back(spelling_->text.size());
  }

  const UnknownPieces& unknown_;
  std::vector<uint32_t>& ids_;
  TokenSpelling* spelling_;
  bool after_unknown_ = false;
};

class Segmenter {
 public:
  virtual ~Segmenter() = default;

  // Requires text smaller than 4 GB.
  virtual void segment(std::string_view text, PieceWriter& out) const = 0;
};

}  // namespace quintet
