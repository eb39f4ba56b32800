#pragma once
// The files of a Hugging Face folder that describe its model, each collected as it arrives.

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/huggingface/folder.h"
#include "formats/huggingface/sentence_files.h"

namespace quintet {

class FolderFiles {
 public:
  // Whether a file at this path inside the folder describes the model. All others contain weights.
  static bool takes(std::string_view path);

  void begin(std::string_view path);
  Status feed(Bytes chunk);
  Status end();
  const std::string& name() const { return name_; }   // of the current file
  uint64_t position() const { return text_.size(); }  // bytes of the file so far

  // Everything that was added.
  huggingface::Folder& folder() { return folder_; }
  // Whether modules.json lists static embeddings.
  bool is_static() const { return sentence_.is_static(); }
  // What the folder says about embeddings, or about a reranker, after the last file.
  Result<SentenceConfig> sentence_config();
  Result<SentenceConfig> reranker_config();

 private:
  std::string name_;
  std::vector<std::byte> text_;
  huggingface::Folder folder_;
  huggingface::SentenceFiles sentence_;
};

}  // namespace quintet
