#pragma once
// The description of a model whose tensors are in their own files: those of a folder, or the files of a split GGUF
// model, of which the first describes the model.

#include <utility>

#include "base/result.h"
#include "formats/gguf/split.h"
#include "formats/model_description.h"

namespace quintet {

class SplitModel {
 public:
  // Reads the header of the next file with tensors. Its tensors are added to a model that is described already.
  Status add(const ModelDescription& file) {
    if (file.format == Format::gguf) QUINTET_CHECK(parts_.add(file));
    return is_described_ ? add_file(description_, file) : Status();
  }
  // From now on files only add tensors.
  void describe(ModelDescription description) {
    description_ = std::move(description);
    description_.file_size.reset();
    is_described_ = true;
  }

  bool is_described() const { return is_described_; }
  // Whether the first GGUF file states that there are more.
  bool is_split() const { return parts_.several(); }
  // After the last file: INPUT if one is missing.
  Status finish() const { return parts_.finish(description_.tensors.size()); }

  // The description, with the tensors of all files so far; of a single file, what was assigned to it.
  ModelDescription& description() { return description_; }
  const ModelDescription& description() const { return description_; }

 private:
  gguf::SplitFiles parts_;
  ModelDescription description_;
  bool is_described_ = false;
};

}  // namespace quintet
