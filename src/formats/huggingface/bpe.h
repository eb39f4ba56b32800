#pragma once
// The BPE tokenizers of decoders in a tokenizer.json. Two kinds exist: over bytes (GPT-2, Phi-2, Llama 3), and over
// characters with spaces written as U+2581 (Llama 2, Mistral, Phi-3), which is SentencePiece's BPE in other words.

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

struct BpeTokenizer {
  TokenizerDescription description;  // of type bpe or sentencepiece, with unk alone of the special ids
  std::string_view pre_tokenizer;    // of type bpe: "gpt2", "llama3" or "starcoder", the pattern that parts the words
};

// UNSUPPORTED: a tokenizer that neither kind of ours computes.
Result<BpeTokenizer> read_bpe(const Json& tokenizer);

}  // namespace quintet::huggingface
