#pragma once
// The ways in which byte-level BPE cuts text into words before it merges: one table of what we call them, and of what
// llama.cpp and Hugging Face call them (docs/formats/huggingface.md, "Tokenizers").

#include <string_view>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

constexpr std::string_view kGpt2PreTokenizer = "gpt2";  // what a file means that says nothing
constexpr std::string_view kLlama3PreTokenizer = "llama3";
constexpr std::string_view kStarcoderPreTokenizer = "starcoder";

// Our name for a regular expression of a tokenizer.json; empty where it is none that we compute.
std::string_view pre_tokenizer_of_regex(std::string_view regex);

// Sets all that a value of `tokenizer.ggml.pre` stands for: the way to cut, and what llama.cpp derives from it. A value
// that is not known is kept as it is, for check_pre_tokenizer() to name.
void set_gguf_pre_tokenizer(std::string_view pre, TokenizerDescription& tokenizer);

// UNSUPPORTED where a byte-level tokenizer cuts text in a way that we do not compute.
Status check_pre_tokenizer(const TokenizerDescription& tokenizer);

}  // namespace quintet
