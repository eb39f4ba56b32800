#pragma once
// Loads a model from its files, which arrive in chunks: a model file, the files of a split GGUF model, or those of a
// Hugging Face folder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "runtime/model_folder/header_counter.h"
#include "runtime/model_folder/model_file.h"
#include "runtime/model_folder/text_files.h"

namespace quintet {

// For each file: begin_file(), feed() for its bytes in order, end_file(). Files that describe the model come before
// those with tensors. Errors have the offset in their file. A failed load leaves nothing behind except this object.
class ModelFolderLoader {
 public:
  virtual ~ModelFolderLoader() = default;
  ModelFolderLoader(const ModelFolderLoader&) = delete;
  ModelFolderLoader& operator=(const ModelFolderLoader&) = delete;

  // Begins the next file. `path` is that inside the model's folder, and decides what the file contains; the only file
  // may have any name, or none. `total`: its size, if known.
  Status begin_file(std::string_view path, std::optional<uint64_t> total);
  // Receives the next bytes of the current file: the one that began last, or that was chosen since.
  Status feed(Bytes chunk);
  // Ends the current file.
  Status end_file();

  // Several files with tensors may be read at the same time, if each begins after the header of the one before was
  // read: then the result does not depend on the order in which their bytes arrive. Files are numbered as they began.
  void choose_file(size_t file);
  // Number of files with tensors whose headers were read.
  size_t headers_read() const { return headers_read_; }

 protected:
  // `describing` receives the files that describe the model. `format`: of a model file outside of a folder; absent:
  // detected from its first bytes. Both references must outlive this object.
  ModelFolderLoader(ModelFile::Reader& reader, TextFiles& describing, std::optional<Format> format);

  // Returns the folder's name for a file that describes the model; empty for a file with tensors.
  virtual std::string_view describing_name(std::string_view path) const = 0;
  // A file that describes the model was added to the folder. An unsupported model is rejected as soon as possible.
  virtual Status describing_file_ended() = 0;
  // Begins a file with tensors: calls one of the two functions below.
  virtual Status begin_tensors(std::string_view path, std::optional<uint64_t> total) = 0;

  // Begins to read the current file.
  void read_file(std::optional<Format> format, std::optional<uint64_t> total, ModelSink& sink,
                 ReadOptions options = {});
  // Begins to read the current file as the model's own.
  void read_model_file(std::optional<uint64_t> total, ModelSink& sink, ReadOptions options = {});
  // INPUT if the model cannot have another file, or is not of the folder.
  Status check_model_file(bool has_more_files) const;
  bool has_model_file() const { return model_files_ != 0; }

  bool is_folder() const { return is_folder_; }
  // The description of the folder is complete: no file may be added to it.
  void end_description() { is_described_ = true; }
  // Adds the name of the format to an error of the folder.
  static Failure in_folder(Failure failure);

  // After the last file: INPUT if there was no model.
  Status finish_files();
  // Frees unfinished files; required before the sinks that they write to are destroyed.
  void close_files() { files_.clear(); }

 private:
  // A file with tensors, while it is read.
  struct TensorFile {
    TensorFile(ModelFile::Reader& reader, std::optional<Format> format, std::optional<uint64_t> total, ModelSink& model,
               size_t& headers, ReadOptions options)
        : sink(model, headers), file(reader, format, total, sink, options) {}

    HeaderCounter sink;
    ModelFile file;
  };

  TensorFile* current() const { return chosen_ < files_.size() ? files_[chosen_].get() : nullptr; }

  ModelFile::Reader& reader_;
  std::optional<Format> format_;
  TextFiles& describing_;
  bool is_folder_ = false;  // there were files that describe the model
  bool is_described_ = false;
  size_t model_files_ = 0;
  size_t headers_read_ = 0;
  std::vector<std::unique_ptr<TensorFile>> files_;  // null: describes the model, or has ended
  size_t chosen_ = 0;
};

}  // namespace quintet
