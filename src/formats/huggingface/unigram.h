#pragma once
// SentencePiece's unigram model as Hugging Face stores it: in tokenizer.json, and as the sentencepiece.bpe.model of
// XLM-RoBERTa, where ids differ from the numbers of the pieces.

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// Reads a tokenizer.json whose model is "Unigram". UNSUPPORTED for normalizers and pre-tokenizers that read_spaces()
// does not support.
Result<TokenizerDescription> read_unigram(const Json& tokenizer);

// Converts the pieces of a model to those of XLM-RoBERTa: <s>, <pad>, </s>, <unk>, the pieces without their first
// three, <mask> (transformers, convert_slow_tokenizer.py, XLMRobertaConverter).
Result<TokenizerDescription> with_xlm_roberta_ids(const TokenizerDescription& model);

}  // namespace quintet::huggingface
