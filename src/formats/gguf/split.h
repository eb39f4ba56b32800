#pragma once
// A model in several GGUF files, as llama.cpp's gguf-split writes them: the metadata in the first, tensors in all
// (docs/formats/gguf.md, "Split files").

#include <cstdint>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::gguf {

// Whether a file states that it is one of several.
bool is_part(const ModelDescription& description);

// Checks that the files of a model come in their order, and that none is missing.
class SplitFiles {
 public:
  // The next file. INPUT if another one is expected; FORMAT if its keys are not those of a part.
  Status add(const ModelDescription& description);
  // After the last file. `tensors`: of all files.
  Status finish(uint64_t tensors) const;

  // Whether the first file states that there are more.
  bool several() const { return count_ > 1; }

 private:
  uint64_t added_ = 0;
  uint64_t count_ = 1;    // of files
  uint64_t tensors_ = 0;  // of all files; 0: unknown
};

}  // namespace quintet::gguf
