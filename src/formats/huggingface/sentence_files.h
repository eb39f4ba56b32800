#pragma once
// The files of sentence-transformers (https://sbert.net): modules.json lists the parts of an embedder, each with a
// config.json in its own folder.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "formats/huggingface/sentence_modules.h"
#include "formats/known_fields.h"
#include "formats/sentence_config.h"

namespace quintet::huggingface {

class SentenceFiles {
 public:
  // Whether the file of this path inside the model's folder is one of them.
  static bool takes(std::string_view path);

  // Adds the content of such a file.
  Status add(std::string_view path, std::string_view text);
  // `model_max_length` of a tokenizer_config.json counts where no other file has a length. UNSUPPORTED for a side from
  // which long texts are not cut here.
  Status set_tokenizer_config(const Json& config);

  // Whether `do_lower_case` is set.
  bool lowers_texts() const;
  // Whether modules.json lists a StaticEmbedding.
  bool is_static() const;
  // After the last of them; fails as read_modules().
  Result<SentenceConfig> settle() const;
  // For a reranker, which is a Transformer alone: its prompts, the length of its inputs and the activation of its
  // scores.
  Result<SentenceConfig> settle_reranker() const;

 private:
  Status read_prompts(SentenceConfig& config) const;
  static Status read_late_interaction(const Json& fields, LateInteraction& late);
  Status read_length(SentenceConfig& config) const;
  // The fields of sentence_bert_config.json. `task`: the use of the Transformer.
  Status check_transformer(std::span<const FixedField> task) const;

  JsonFiles files_;
  std::optional<uint64_t> tokenizer_length_;
};

}  // namespace quintet::huggingface
