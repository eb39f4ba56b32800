#pragma once
// The files that describe a model in a Hugging Face folder: config.json, generation_config.json and those of the
// tokenizer.

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/huggingface/bpe.h"
#include "formats/model_description.h"

namespace quintet::huggingface {

class Folder {
 public:
  // Whether a file of that name describes a model; all others hold one.
  static bool takes(std::string_view file_name);

  // The content of a file of that name. What cannot be computed with is UNSUPPORTED.
  Status add(std::string_view file_name, std::string_view text);
  bool empty() const { return !config_ && !has_tokenizer(); }
  // config.json of an encoder, or of a decoder; null before it has come, and where it is of the other kind.
  const Json* encoder_config() const { return config_ && !is_decoder_ ? &*config_ : nullptr; }
  const Json* decoder_config() const { return config_ && is_decoder_ ? &*config_ : nullptr; }

  // After the last file: architecture, metadata, config.json as it is and the tokenizer. Takes what was added.
  Result<ModelDescription> describe();
  // The same of a decoder: of another model it has the architecture alone.
  Result<ModelDescription> describe_decoder();
  // The same of a folder that may have no config.json: its tokenizer, and how it writes text.
  Result<ModelDescription> describe_tokenizer();

 private:
  bool has_tokenizer() const { return wordpiece_ || vocab_txt_ || bpe_ || sentencepiece_; }
  Status add_config(std::string_view text);
  Status add_tokenizer(std::string_view text);
  Result<ModelDescription> describe_encoder();
  // What says how text and conversations are written.
  Status describe_text(ModelDescription& description);
  Result<TokenizerDescription> bert_tokenizer();
  Result<TokenizerDescription> decoder_tokenizer();
  Result<TokenizerDescription> from_tokenizer_model();

  std::optional<Json> config_;  // config.json
  bool is_decoder_ = false;     // what it describes
  // Read when they are known to be wanted: a program for decoders has no code for them.
  std::optional<std::string> vocab_txt_;
  std::optional<Json> wordpiece_;             // tokenizer.json of another model than BPE
  std::optional<TokenizerDescription> bpe_;   // of BPE
  Json added_tokens_;                         // tokenizer.json's, where it has any
  std::optional<std::string> sentencepiece_;  // tokenizer.model
  Json tokenizer_config_, special_tokens_map_, generation_config_;
  std::optional<std::string> chat_template_;  // chat_template.jinja
};

// Buffers of a checkpoint that a model does not compute with, such as rotary_emb.inv_freq.
bool is_ignored_tensor(std::string_view name);

}  // namespace quintet::huggingface
