#pragma once
// The BPE tokenizers of decoders in a tokenizer.json. Two kinds exist: over bytes (GPT-2, Phi-2, Llama 3), and over
// characters with spaces written as U+2581 (Llama 2, Mistral, Phi-3), which is SentencePiece's BPE in other words.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Of type bpe or sentencepiece. Of the special ids it has those of unk and, where the tokenizer adds one, bos.
// UNSUPPORTED: a tokenizer that neither kind of ours computes.
Result<TokenizerDescription> read_bpe(const Json& tokenizer);

}  // namespace quintet::huggingface
