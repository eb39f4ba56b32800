#pragma once
// Special tokens around a text and around a pair of texts: which ones a tokenizer wants, and how texts are put between
// them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// What the file says, else that of the tokenizer's kind: [CLS] and [SEP] of WordPiece, or the tokens of begin and end
// where texts have them, as in all files of decoders (`decodes`).
TextFrame frame_of(const TokenizerDescription& tokenizer, bool adds_bos, bool decodes = false);

// Error: a token of the frame is outside the vocabulary.
Status check_frame(const TextFrame& frame, size_t vocabulary_size);

// A text in its frame.
std::vector<uint32_t> frame_text(const TextFrame& frame, std::span<const uint32_t> text);

struct TextPair {
  std::vector<uint32_t> ids;
  std::vector<uint8_t> types;  // one an id
};

// Two texts in their frame, in at most `max_length` tokens; 0 is no limit. Too long ones are cut as by `longest_first`
// of Hugging Face's fast tokenizers. INPUT where not even the tokens around them fit.
Result<TextPair> frame_pair(const TextFrame& frame, std::span<const uint32_t> first, std::span<const uint32_t> second,
                            size_t max_length);

}  // namespace quintet
