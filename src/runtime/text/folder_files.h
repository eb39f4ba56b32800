#pragma once
// The files of a Hugging Face folder that describe its model, each collected as it arrives.

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/huggingface/folder.h"

namespace quintet {

class FolderFiles {
 public:
  // Whether huggingface::Folder takes a file with this name.
  void begin(std::string_view name);
  Status feed(Bytes chunk);
  Status end();
  uint64_t position() const { return text_.size(); }  // bytes of the file so far

  // Everything that was added.
  huggingface::Folder& folder() { return folder_; }

 private:
  std::string name_;
  std::vector<std::byte> text_;
  huggingface::Folder folder_;
};

}  // namespace quintet
