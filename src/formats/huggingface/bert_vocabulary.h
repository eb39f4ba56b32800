#pragma once
// The WordPiece vocabulary of a Hugging Face BERT model, from any of the files that hold it or tell of it.

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// vocab.txt: a token a line, the line's number is its id.
Result<TokenizerDescription> read_vocab_txt(std::string_view text);

// tokenizer.json. Error: a pipeline that is not that of BERT uncased, which is the one that quintet computes.
Result<TokenizerDescription> read_wordpiece(const Json& tokenizer);

// tokenizer_config.json has nothing that is needed, but may say that vocab.txt is for another pipeline.
Status check_bert_tokenizer_config(const Json& config);

}  // namespace quintet::huggingface
