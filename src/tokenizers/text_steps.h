#pragma once
// The steps that prepare a text for a tokenizer, as tokenizer.json has them: a normalizer rewrites the text, and a
// pre-tokenizer cuts it into words. Files describe them (formats/text_steps.h), tokenizers apply them.

#include <cstdint>
#include <string>

namespace quintet {

enum class NormalizerKind : uint8_t {
  nfc,
  nfd,
  nfkc,
  nfkd,
  lowercase,
  strip_accents,  // leaves out marks
  nmt,            // leaves out control characters; several separators become spaces
  strip,          // leaves out white space at the ends
  prepend,        // puts `content` in front of a text that is not empty
  replace,        // matches of `pattern` become `content`
};

struct NormalizerStep {
  NormalizerKind kind = NormalizerKind::nfc;
  std::string pattern = {};  // a regular expression (tokenizers/split_expression/split_expression.h)
  std::string content = {};
  bool left = false, right = false;  // which ends `strip` cuts

  bool operator==(const NormalizerStep&) const = default;
};

// Splitting of a text by an expression: the treatment of its matches and of the text between them
// (huggingface/tokenizers, tokenizer/normalizer.rs, SplitDelimiterBehavior).
enum class SplitBehavior : uint8_t {
  isolated,              // each match is a piece
  removed,               // matches are left out
  merged_with_previous,  // a match belongs to the piece before it
  merged_with_next,      // a match belongs to the piece after it
  contiguous,            // consecutive matches are one piece, and so is the text between them
};

struct SplitStep {
  std::string expression = {};  // empty: the step does not split
  SplitBehavior behavior = SplitBehavior::isolated;
  bool inverts = false;       // text between the matches counts as a match, and the matches do not
  bool adds_space = false;    // each piece gets a space in front before it is split, unless it begins with one
  bool spells_bytes = false;  // each byte of a piece then becomes its letter (tokenizers/bpe/byte_alphabet.h)

  bool operator==(const SplitStep&) const = default;
};

}  // namespace quintet
