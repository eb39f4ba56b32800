#pragma once
// The pre-tokenizers of byte-level BPE, which split text into words before merging: one table with our names, the
// expressions behind them, and the names of llama.cpp (docs/formats/tokenizers.md, "Names").

#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

constexpr std::string_view kGpt2PreTokenizer = "gpt2";  // the default for files that name none
constexpr std::string_view kLlama3PreTokenizer = "llama3";

// openai/gpt-2, encoder.py: the expression of ByteLevel.
constexpr std::string_view kGpt2Expression =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
// The expression of Punctuation: that of ASCII, and category P of Unicode 8.0, of which two characters have another
// one now.
constexpr std::string_view kPunctuationExpression = "[!-/:-@\\[-`{-~\\p{P8}\u166D\U000111C9]";

// Describes the steps by their name, if they have one.
void set_pre_tokenizer(std::vector<SplitStep> steps, BpeDescription& bpe);

// Applies a value of `tokenizer.ggml.pre` to a byte-level tokenizer: the pre-tokenizer, and the settings that llama.cpp
// derives from it. An unknown value is kept, so that an error can name it.
void set_gguf_pre_tokenizer(std::string_view pre, TokenizerDescription& tokenizer);

// The steps of a byte-level tokenizer. UNSUPPORTED for an unknown name.
Result<std::vector<SplitStep>> pre_tokenizer_steps(const BpeDescription& bpe);

// UNSUPPORTED for a byte-level tokenizer whose pre-tokenizer has an unknown name.
Status check_pre_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet
