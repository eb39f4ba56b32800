#pragma once
// Cuts normalized text into the pieces of a vocabulary.

#include <string_view>

#include "tokenizers/piece_writer.h"

namespace quintet {

class Segmenter {
 public:
  virtual ~Segmenter() = default;

  // Requires text of less than 4 GB.
  virtual void segment(std::string_view text, PieceWriter& out) const = 0;
};

}  // namespace quintet
