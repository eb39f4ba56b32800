#include "runtime/text/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// Larger than any tokenizer.json; anything larger is some other file.
constexpr size_t kMaxFileBytes = 64u << 20;

}  // namespace

void FolderFiles::begin(std::string_view name) {
  name_ = name;
  text_.clear();
}

Status FolderFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxFileBytes - text_.size()) return input_error(Reason::limit, name_ + " is larger than 64 MB");
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

Status FolderFiles::end() {
  Status status = folder_.add(name_, as_text(text_));
  text_ = {};
  if (!status) return fail(in_format(std::move(status).error(), "huggingface"));
  return {};
}

}  // namespace quintet
