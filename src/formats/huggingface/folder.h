#pragma once
// The files of a Hugging Face folder that describe a model: config.json, generation_config.json and those of the
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
  // Whether a file with this name describes a model. All others contain weights.
  static bool takes(std::string_view file_name);

  // Adds the content of a file with this name. UNSUPPORTED for settings that are not implemented.
  Status add(std::string_view file_name, std::string_view text);
  bool empty() const { return !config_ && !has_tokenizer(); }
  // Texts are lower-cased first, regardless of the tokenizer.
  void lower_texts() { lowers_texts_ = true; }
  const Json& tokenizer_config() const { return tokenizer_config_; }
  // config.json of an encoder or of a decoder; null before it was added, and for the other kind.
  const Json* encoder_config() const { return config_ && !is_decoder_ ? &*config_ : nullptr; }
  const Json* decoder_config() const { return config_ && is_decoder_ ? &*config_ : nullptr; }

  // After the last file: architecture, metadata, the original config.json and the tokenizer. Moves what was added.
  Result<ModelDescription> describe();
  // Describes an encoder.
  Result<ModelDescription> describe_encoder();
  // Describes a decoder. For other models only the architecture is set.
  Result<ModelDescription> describe_decoder();
  // Describes only the tokenizer and the settings for text, of a folder that may have no config.json.
  Result<ModelDescription> describe_tokenizer();
  // Likewise, of tokenizer.json alone; WordPiece is UNSUPPORTED.
  Result<ModelDescription> describe_subword_tokenizer();

 private:
  bool has_tokenizer() const { return wordpiece_ || vocab_txt_ || bpe_ || unigram_ || sentencepiece_; }
  Status add_config(std::string_view text);
  Status add_tokenizer(std::string_view text);
  // The settings for texts and conversations.
  Status describe_text(ModelDescription& description);
  Result<TokenizerDescription> bert_tokenizer();
  Result<TokenizerDescription> decoder_tokenizer();
  Result<TokenizerDescription> subword_tokenizer();
  // Adds the special tokens of the other files.
  Status complete(TokenizerDescription& tokenizer);
  Result<TokenizerDescription> from_tokenizer_model();

  std::optional<Json> config_;  // config.json
  bool is_decoder_ = false;     // whether it describes a decoder
  bool lowers_texts_ = false;
  // Parsed only if needed, so that a module for decoders does not contain their code.
  std::optional<std::string> vocab_txt_;
  std::optional<Json> wordpiece_;            // tokenizer.json with a model other than BPE
  std::optional<TokenizerDescription> bpe_;  // of BPE
  std::optional<TokenizerDescription> unigram_;
  Json added_tokens_;                         // tokenizer.json's, if it has any
  bool truncates_left_ = false;               // as in tokenizer.json
  std::optional<bool> adds_prefix_space_;     // that of tokenizer.json, if it is only that of bytes
  std::optional<std::string> sentencepiece_;  // tokenizer.model or sentencepiece.bpe.model
  bool is_xlm_roberta_ = false;               // the latter
  Json tokenizer_config_, special_tokens_map_, generation_config_;
  std::optional<std::string> chat_template_;  // chat_template.jinja
};

// Buffers of a checkpoint that the computation does not use, such as rotary_emb.inv_freq.
bool is_ignored_tensor(std::string_view name);

}  // namespace quintet::huggingface
