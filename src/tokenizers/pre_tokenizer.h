#pragma once
// Splits a text into words, within which byte-level BPE merges. The references are regular expressions; here they are
// implemented by hand, in time linear in the text. \p{L}, \p{N} and \s are those of base/unicode.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

enum class WordPattern : uint8_t {
  // openai/gpt-2, encoder.py; also of CodeGen and Phi-2: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
  // ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
  gpt2,
  // meta-llama/llama3, tokenizer.py:
  // (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
  llama3,
  // Qwen/Qwen2, tokenizer.json: llama3's with \p{N} instead of \p{N}{1,3}
  qwen2,
  // Every \p{N} is a word, and gpt2 splits the text between them.
  starcoder,
};

// "gpt2", "llama3", "qwen2", "starcoder".
std::optional<WordPattern> word_pattern_named(std::string_view name);

// The end of the word that starts at `at`. Requires valid UTF-8, and that a word starts at `at` < text.size().
size_t word_end(WordPattern pattern, std::string_view text, size_t at);

}  // namespace quintet
