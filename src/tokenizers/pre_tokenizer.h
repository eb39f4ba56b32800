#pragma once
// Splits a text into words, within which byte-level BPE merges. The references are regular expressions; here they are
// implemented by hand, in time linear in the text. \p{L}, \p{N}, \s and the others are those of base/unicode.h.

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
  // Qwen/Qwen3.5, tokenizer.json: qwen2's with [\p{L}\p{M}] instead of \p{L}
  qwen35,
  // openai/tiktoken, o200k_base; also of Phi-4-mini. With U for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], D for
  // [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C for (?i:'s|'t|'re|'ve|'m|'ll|'d):
  // [^\r\n\p{L}\p{N}]?U*D+C?|[^\r\n\p{L}\p{N}]?U+D*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
  gpt4o,
  // mistralai/Mistral-Nemo, tokenizer.json: gpt4o's without C and with \p{N} instead of \p{N}{1,3}
  tekken,
  // Every \p{N} is a word, and gpt2 splits the text between them.
  starcoder,
};

// "gpt2", "llama3" and so on: the names above.
std::optional<WordPattern> word_pattern_named(std::string_view name);

// The end of the word that starts at `at`. Requires valid UTF-8, and that a word starts at `at` < text.size().
size_t word_end(WordPattern pattern, std::string_view text, size_t at);

}  // namespace quintet
