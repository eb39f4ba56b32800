#pragma once
// The BPE tokenizers of decoders in a tokenizer.json. There are two kinds: over bytes (GPT-2, Phi-2, Llama 3), and over
// characters with spaces written as U+2581 (Llama 2, Mistral, Phi-3), which is equivalent to SentencePiece's BPE.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Returns a BPE or SentencePiece tokenizer, with the special id of unk and, if the tokenizer adds it, of bos.
// UNSUPPORTED for other kinds of tokenizers.
Result<TokenizerDescription> read_bpe(const Json& tokenizer);

}  // namespace quintet::huggingface
