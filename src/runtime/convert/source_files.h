#pragma once
// The first pass over the input of a conversion: reads the files that describe a model completely, and the headers of
// model files.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/description_sink.h"
#include "runtime/convert/describing_files.h"
#include "runtime/convert/source_model.h"
#include "runtime/model_folder/model_file.h"

namespace quintet {

class SourceFiles {
 public:
  SourceFiles() = default;
  SourceFiles(const SourceFiles&) = delete;
  SourceFiles& operator=(const SourceFiles&) = delete;

  // The next file. Its name determines its role: names for which huggingface::Folder::takes() is true describe the
  // model, any other name, or none, is a model file. `total` is its length if that is known; with `seekable` the caller
  // follows position().
  Status begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable);
  Status feed(Bytes chunk);
  // The position of the next chunk.
  uint64_t position() const;
  // Whether the file must be read again, not seekable, because it has checksums that only reading the whole file can
  // verify.
  Result<bool> end_file();

  // After the last file.
  Result<SourceModel> describe();

 private:
  // A model file while it is read.
  struct Reading {
    Reading(std::optional<uint64_t> total, bool seekable);
    DescriptionSink sink;
    ModelFile file;
  };

  Result<bool> end_model();

  uint32_t files_ = 0;
  bool repeating_ = false;  // the last file is being read again
  std::optional<Reading> reading_;
  bool seekable_ = false;
  DescribingFiles describing_;
  std::vector<ModelDescription> models_;
  std::vector<uint32_t> model_files_;
};

}  // namespace quintet
