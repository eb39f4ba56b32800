#pragma once
// The first look at a conversion's input: the files that describe a model are read whole, of the
// model files the headers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/description_sink.h"
#include "runtime/convert/describing_files.h"
#include "runtime/convert/source_model.h"

namespace quintet {

class SourceFiles {
 public:
  SourceFiles() = default;
  SourceFiles(const SourceFiles&) = delete;
  SourceFiles& operator=(const SourceFiles&) = delete;

  // The next file. Its name tells its role: what huggingface::Folder takes describes the model, any
  // other name, or none, is a model file. `total` is its length where that is known; with
  // `seekable` the caller follows position().
  Status begin_file(std::string_view name, std::optional<uint64_t> total, bool seekable);
  Status feed(Bytes chunk);
  // Where the next chunk must begin.
  uint64_t position() const;
  // Whether the file is to be begun again, not seekable, because it has checksums that only a whole
  // reading can verify.
  Result<bool> end_file();

  // After the last file.
  Result<SourceModel> describe();

 private:
  // A model file that is being read.
  struct Reading {
    Reading(std::optional<uint64_t> total, bool seekable);
    DescriptionSink sink;
    ByteStream stream;
    Parse<void> parse;
    std::optional<Status> status;  // once the parse is done
    Status result();
  };

  Result<bool> end_model();

  uint32_t files_ = 0;
  bool repeating_ = false;  // the file that was begun last is read once more
  std::optional<Reading> reading_;
  bool seekable_ = false;
  DescribingFiles describing_;
  std::vector<ModelDescription> models_;
  std::vector<uint32_t> model_files_;
};

}  // namespace quintet
