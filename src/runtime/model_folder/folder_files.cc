#include "runtime/model_folder/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// In the folder of a module.
constexpr std::string_view kModuleTokenizer = "/tokenizer.json";

}  // namespace

// StaticEmbedding has its tokenizer in its own folder.
bool FolderFiles::takes(std::string_view path) {
  return huggingface::SentenceFiles::takes(path) || huggingface::Folder::takes(path) ||
         path.ends_with(kModuleTokenizer);
}

Status FolderFiles::add(std::string_view text) {
  const std::string_view path = name();
  const std::string_view in_folder = path.ends_with(kModuleTokenizer) ? kModuleTokenizer.substr(1) : path;
  const bool is_sentence_file = huggingface::SentenceFiles::takes(path);
  const Status status = is_sentence_file ? sentence_.add(path, text) : folder_.add(in_folder, text);
  if (sentence_.lowers_texts()) folder_.lower_texts();
  return status;
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
