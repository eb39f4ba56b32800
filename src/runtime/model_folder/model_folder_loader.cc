#include "runtime/model_folder/model_folder_loader.h"

#include <string>
#include <utility>

namespace quintet {
namespace {

// Errors of the model as a whole are reported at the position where they show.
Status at_position(Status status, const ModelFile& file) {
  if (status) return status;
  const bool is_of_file = status.error().code == Code::format || status.error().code == Code::unsupported;
  if (is_of_file && !status.error().offset) status.error().offset = file.offset();
  return status;
}

}  // namespace

ModelFolderLoader::ModelFolderLoader(ModelFile::Reader& reader, TextFiles& describing, std::optional<Format> format)
    : reader_(reader), format_(format), describing_(describing) {}

Status ModelFolderLoader::begin_file(std::string_view path, std::optional<uint64_t> total) {
  chosen_ = files_.size();
  files_.push_back(nullptr);
  const std::string_view name = describing_name(path);
  if (name.empty()) return begin_tensors(path, total);
  if (is_described_) {
    return input_error(Reason::malformed, "{} comes after the weights; files that describe the model must come first",
                       name);
  }
  is_folder_ = true;
  describing_.begin(name);
  return {};
}

void ModelFolderLoader::read_file(std::optional<Format> format, std::optional<uint64_t> total, ModelSink& sink,
                                  ReadOptions options) {
  files_[chosen_] = std::make_unique<TensorFile>(reader_, format, total, sink, headers_read_, options);
}

void ModelFolderLoader::read_model_file(std::optional<uint64_t> total, ModelSink& sink, ReadOptions options) {
  ++model_files_;
  read_file(is_folder_ ? Format::safetensors : format_, total, sink, options);
}

Status ModelFolderLoader::check_model_file(bool has_more_files) const {
  if (is_folder_ && format_.value_or(Format::safetensors) != Format::safetensors) {
    return input_error(Reason::mismatch, "config.json and vocabulary can only be combined with a safetensors model");
  }
  if (model_files_ == 0 || has_more_files) return {};
  return input_error(Reason::mismatch, "there are several models, but only one can be loaded");
}

Status ModelFolderLoader::feed(Bytes chunk) {
  TensorFile* const file = current();
  return file ? at_position(file->file.feed(chunk), file->file) : describing_.feed(chunk);
}

Status ModelFolderLoader::end_file() {
  TensorFile* const file = current();
  if (!file) {
    QUINTET_CHECK(describing_.end());
    return describing_file_ended();
  }
  Status status = at_position(file->file.end(), file->file);
  files_[chosen_].reset();
  return status;
}

void ModelFolderLoader::choose_file(size_t file) {
  if (file < files_.size()) chosen_ = file;
}

Status ModelFolderLoader::finish_files() {
  if (model_files_ == 0) return input_error(Reason::missing, "no model file was given");
  close_files();
  return {};
}

Failure ModelFolderLoader::in_folder(Failure failure) { return in_format(std::move(failure), "huggingface"); }

}  // namespace quintet
