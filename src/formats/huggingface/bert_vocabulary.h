#pragma once
// The WordPiece vocabulary of a Hugging Face BERT model, from any of the files that contain or describe it.

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

// vocab.txt: one token per line; the line number is its id.
Result<TokenizerDescription> read_vocab_txt(std::string_view text);

// tokenizer.json. Fails for any pipeline other than that of BERT uncased, the one that is implemented.
Result<TokenizerDescription> read_wordpiece(const Json& tokenizer);

// tokenizer_config.json is not needed, but may show that vocab.txt is for another pipeline.
Status check_bert_tokenizer_config(const Json& config);

}  // namespace quintet::huggingface
