#include "formats/huggingface/folder.h"

#include <utility>

#include "formats/huggingface/config.h"
#include "formats/huggingface/vocabulary.h"

namespace quintet::huggingface {

bool Folder::takes(std::string_view name) {
  return name == "config.json" || name == "vocab.txt" || name == "tokenizer.json" || name == "tokenizer_config.json";
}

Status Folder::add(std::string_view name, std::string_view text) {
  if (name == "config.json") {
    QUINTET_TRY(config_, read_config(text));
  } else if (name == "tokenizer_config.json") {
    return check_tokenizer_config(text);
  } else if (name == "tokenizer.json") {
    QUINTET_TRY(tokenizer_, read_tokenizer_json(text));
  } else {
    QUINTET_TRY(auto tokenizer, read_vocab_txt(text));
    if (!tokenizer_) tokenizer_ = std::move(tokenizer);
  }
  return {};
}

Result<ModelDescription> Folder::describe() {
  if (!config_) return input_error(Reason::missing, "a vocabulary without config.json");
  if (!tokenizer_) return input_error(Reason::missing, "config.json without vocab.txt or tokenizer.json");
  ModelDescription description;
  description.architecture = "bert";
  description.metadata = std::move(*config_);
  description.tokenizer = std::move(*tokenizer_);
  return description;
}

bool is_ignored_tensor(std::string_view) { return false; }

}  // namespace quintet::huggingface
