#pragma once
// Loads a decoder from its files, which arrive in chunks: one .amb, .alt or GGUF file, the files of a split GGUF model,
// or those of a Hugging Face folder. Weights go straight into the form that the kernels read. A failed load leaves
// nothing behind except this object; a model that does not fit is rejected (MEMORY) before its weights are read.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/model_sink.h"
#include "runtime/generation/generator_model.h"

namespace quintet {

class GeneratorLoader {
 public:
  // `format`: of a single file; absent: detected from its first bytes. `available`: available memory in bytes.
  GeneratorLoader(const GeneratorOptions& options, std::optional<Format> format, uint64_t available);
  ~GeneratorLoader();

  // The next file, read from start to end. Its name determines its role, as in huggingface::Folder::takes(): files that
  // describe the model come before those with tensors. A single model file may have any name, or none.
  Status begin_file(std::string_view name, std::optional<uint64_t> total);
  // Of the file that began last, or that was chosen since.
  Status feed(Bytes chunk);
  Status end_file();

  // Several files with tensors may be read at the same time, if each begins after the head of the one before was read:
  // then the result does not depend on the order in which their bytes arrive. Files are numbered as they began.
  void choose_file(size_t file);
  // Number of files with tensors whose heads were read.
  size_t heads_read() const;

  // After the last file.
  Result<std::unique_ptr<GeneratorModel>> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quintet
