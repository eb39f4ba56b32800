#include "runtime/model_folder/folder_files.h"

#include <utility>

namespace quintet {
namespace {

// In the folder of a module.
constexpr std::string_view kModuleTokenizer = "/tokenizer.json";

struct ModulePath {
  std::string_view folder, name;
};

// Splits the path of a file in one of a Router's modules; of others all is the name.
ModulePath in_module(std::string_view path) {
  const size_t slash = path.find('/');
  const std::string_view folder = path.substr(0, slash == path.npos ? 0 : slash);
  const bool is_of_router = huggingface::is_network_folder(folder) || huggingface::is_query_folder(folder);
  return is_of_router ? ModulePath{folder, path.substr(slash + 1)} : ModulePath{{}, path};
}

}  // namespace

// StaticEmbedding has its tokenizer in its own folder, and a Router has all of its network there. The tokenizer of its
// queries is that of its documents.
bool FolderFiles::takes(std::string_view path) {
  const auto [folder, name] = in_module(path);
  if (!folder.empty() && huggingface::Folder::takes(name)) return true;
  return huggingface::SentenceFiles::takes(name) || huggingface::Folder::takes(name) ||
         name.ends_with(kModuleTokenizer);
}

Status FolderFiles::add(std::string_view text) {
  const std::string_view path = FolderFiles::name();
  const auto [folder, name] = in_module(path);
  if (huggingface::is_query_folder(folder)) return {};
  const std::string_view in_folder = name.ends_with(kModuleTokenizer) ? kModuleTokenizer.substr(1) : name;
  const bool is_sentence_file = huggingface::SentenceFiles::takes(name);
  const Status status = is_sentence_file ? sentence_.add(name, text) : folder_.add(in_folder, text);
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
