#pragma once
// The pre-tokenizers of byte-level BPE, which split text into words before merging: one table with our names and those
// of llama.cpp and Hugging Face (docs/formats/huggingface.md, "Tokenizers").

#include <string_view>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

constexpr std::string_view kGpt2PreTokenizer = "gpt2";  // the default for files that name none
constexpr std::string_view kLlama3PreTokenizer = "llama3";
constexpr std::string_view kStarcoderPreTokenizer = "starcoder";

// Our name for a regular expression of a tokenizer.json; empty if it is not supported.
std::string_view pre_tokenizer_of_regex(std::string_view regex);

// Applies a value of `tokenizer.ggml.pre`: the pre-tokenizer, and what llama.cpp derives from it. An unknown value is
// kept, so that check_pre_tokenizer() can name it.
void set_gguf_pre_tokenizer(std::string_view pre, TokenizerDescription& tokenizer);

// UNSUPPORTED for a byte-level tokenizer with an unknown pre-tokenizer.
Status check_pre_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet
