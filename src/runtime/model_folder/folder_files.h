#pragma once
// The files of a Hugging Face folder that describe a model of texts.

#include <string_view>

#include "formats/huggingface/folder.h"
#include "formats/huggingface/sentence_files.h"
#include "runtime/model_folder/text_files.h"

namespace quintet {

class FolderFiles : public TextFiles {
 public:
  // Whether a file at this path inside the folder describes the model. All others contain weights.
  static bool takes(std::string_view path);

  // Everything that was added.
  huggingface::Folder& folder() { return folder_; }
  // Whether modules.json lists static embeddings.
  bool is_static() const { return sentence_.is_static(); }
  // The folder's settings for embeddings, or for a reranker, after the last file.
  Result<SentenceConfig> sentence_config();
  Result<SentenceConfig> reranker_config();

 protected:
  Status add(std::string_view text) override;

 private:
  huggingface::Folder folder_;
  huggingface::SentenceFiles sentence_;
};

}  // namespace quintet
