#pragma once
// The WordPiece vocabulary of a Hugging Face BERT model, from any of the files that contain or describe it.

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// vocab.txt: one token per line; the line number is its id.
Result<TokenizerDescription> read_vocab_txt(std::string_view text);

// tokenizer.json. UNSUPPORTED for any pipeline other than BERT's.
Result<TokenizerDescription> read_wordpiece(const Json& tokenizer);

// UNSUPPORTED if, according to tokenizer_config.json, a vocab.txt without tokenizer.json is not for BERT's tokenizer.
Status check_vocab_txt_config(const Json& config);

// The normalizer options in tokenizer_config.json override those in tokenizer.json, as in transformers.
Status apply_bert_tokenizer_config(const Json& config, BertNormalizer& normalizer);

}  // namespace quintet::huggingface
