#include "runtime/model_folder/text_files.h"

#include <utility>

namespace quintet {
namespace {

// Larger than any tokenizer.json; anything larger is some other file.
constexpr size_t kMaxFileBytes = 64u << 20;

}  // namespace

void TextFiles::begin(std::string_view path) {
  name_ = path;
  text_.clear();
}

Status TextFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxFileBytes - text_.size()) return input_error(Reason::limit, "{} is larger than 64 MB", name_);
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

Status TextFiles::end() {
  Status status = add(as_text(text_));
  text_ = {};
  if (!status) return in_format(failure_of(std::move(status)), "huggingface");
  return {};
}

}  // namespace quintet
