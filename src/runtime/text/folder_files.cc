#include "runtime/text/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// More than any tokenizer.json has; what is larger is another file.
constexpr size_t kMaxTextBytes = 64u << 20;

}  // namespace

void FolderFiles::begin(std::string_view name) {
  name_ = name;
  text_.clear();
}

Status FolderFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxTextBytes - text_.size()) return input_error(Reason::limit, name_ + " has over 64 MB");
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
