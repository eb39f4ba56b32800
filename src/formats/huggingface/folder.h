#pragma once
// The files that describe a model in a Hugging Face folder: config.json and those of the tokenizer.

#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

class Folder {
 public:
  // Whether a file of that name describes a model; all others hold one.
  static bool takes(std::string_view file_name);

  // The content of a file of that name. What cannot be computed with is UNSUPPORTED.
  Status add(std::string_view file_name, std::string_view text);
  bool empty() const { return !config_ && !tokenizer_; }

  // After the last file: architecture, metadata, config (in AMB's names for decoders) and tokenizer.
  Result<ModelDescription> describe();

 private:
  std::optional<Json> config_;
  std::optional<TokenizerDescription> tokenizer_;
};

// Buffers of a checkpoint that a model does not compute with, such as rotary_emb.inv_freq.
bool is_ignored_tensor(std::string_view name);

}  // namespace quintet::huggingface
