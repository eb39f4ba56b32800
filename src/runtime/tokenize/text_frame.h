#pragma once
// Special tokens around a text and around a pair of texts: which ones a tokenizer adds, and how.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// Returns the frame of the file or, if it has none, that of the kind of tokenizer: [CLS] and [SEP] for WordPiece, or
// beginning- and end-of-sequence tokens if texts have them, as in all files of decoders (`decodes`).
TextFrame frame_of(const TokenizerDescription& tokenizer, bool adds_bos, bool decodes = false);

// Fails if a token of the frame is outside the vocabulary.
Status check_frame(const TextFrame& frame, size_t vocabulary_size);

// The numbers of special tokens before and after a text.
struct FrameSize {
  size_t ahead, behind;
  size_t around() const { return ahead + behind; }
};
FrameSize frame_size(const TextFrame& frame);

// Returns the ids of a text in its frame.
std::vector<uint32_t> frame_text(const TextFrame& frame, std::span<const uint32_t> text);

struct TextPair {
  std::vector<uint32_t> ids;
  std::vector<uint8_t> types;  // one per id
};

// Returns two texts in their frame, in at most `max_length` tokens; 0: no limit. Texts that are too long are cut like
// with `longest_first` of Hugging Face's fast tokenizers. INPUT if not even the special tokens fit.
Result<TextPair> frame_pair(const TextFrame& frame, std::span<const uint32_t> first, std::span<const uint32_t> second,
                            size_t max_length);

}  // namespace quintet
