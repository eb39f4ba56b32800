#include "runtime/model_folder/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// Larger than any tokenizer.json; anything larger is some other file.
constexpr size_t kMaxFileBytes = 64u << 20;

// In the folder of a module.
constexpr std::string_view kModuleTokenizer = "/tokenizer.json";

}  // namespace

// StaticEmbedding has its tokenizer in its own folder.
bool FolderFiles::takes(std::string_view path) {
  return huggingface::SentenceFiles::takes(path) || huggingface::Folder::takes(path) ||
         path.ends_with(kModuleTokenizer);
}

void FolderFiles::begin(std::string_view path) {
  name_ = path;
  text_.clear();
}

Status FolderFiles::feed(Bytes chunk) {
  if (chunk.size() > kMaxFileBytes - text_.size()) return input_error(Reason::limit, "{} is larger than 64 MB", name_);
  text_.insert(text_.end(), chunk.begin(), chunk.end());
  return {};
}

Status FolderFiles::end() {
  const bool is_sentence_file = huggingface::SentenceFiles::takes(name_);
  const std::string_view in_folder =
      name_.ends_with(kModuleTokenizer) ? kModuleTokenizer.substr(1) : std::string_view(name_);
  Status status = is_sentence_file ? sentence_.add(name_, as_text(text_)) : folder_.add(in_folder, as_text(text_));
  text_ = {};
  if (sentence_.lowers_texts()) folder_.lower_texts();
  if (!status) return in_format(failure_of(std::move(status)), "huggingface");
  return {};
}

Result<SentenceConfig> FolderFiles::sentence_config() {
  QUINTET_CHECK(sentence_.set_tokenizer_config(folder_.tokenizer_config()));
  return sentence_.settle();
}

Result<SentenceConfig> FolderFiles::reranker_config() {
  QUINTET_CHECK(sentence_.set_tokenizer_config(folder_.tokenizer_config()));
  return sentence_.settle_reranker();
}

}  // namespace quintet
