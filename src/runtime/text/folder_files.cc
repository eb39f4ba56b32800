#include "runtime/text/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// Larger than any tokenizer.json; anything larger is some other file.
constexpr size_t kMaxFileBytes = 64u << 20;

}  // namespace

bool FolderFiles::takes(std::string_view path) {
  return huggingface::SentenceFiles::takes(path) || huggingface::Folder::takes(path);
}

void FolderFiles::begin(std::string_view path) {
  name_ = path;
  text_.clear();
}

Status FolderFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxFileBytes - text_.size()) return input_error(Reason::limit, name_ + " is larger than 64 MB");
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

Status FolderFiles::end() {
  const bool is_sentence_file = huggingface::SentenceFiles::takes(name_);
  Status status = is_sentence_file ? sentence_.add(name_, as_text(text_)) : folder_.add(name_, as_text(text_));
  text_ = {};
  if (!status) return fail(in_format(std::move(status).error(), "huggingface"));
  return {};
}

Result<SentenceConfig> FolderFiles::settle_sentence() {
  sentence_.set_tokenizer_config(folder_.tokenizer_config());
  return sentence_.settle();
}

}  // namespace quintet
