#pragma once
// Settings of a WordPiece tokenizer from files, apart from its tokens. TokenizerDescription has those, and which of
// them are special.

namespace quintet {

// The options of Hugging Face's BertNormalizer. The defaults are those of uncased models.
struct BertNormalizer {
  bool clean_text = true;            // remove control characters, and what is not a character
  bool handle_chinese_chars = true;  // make every CJK ideograph a word
  bool strip_accents = true;
  bool lowercase = true;
};

// Files without these settings are of uncased models.
struct WordPieceDescription {
  BertNormalizer normalizer;
};

}  // namespace quintet
