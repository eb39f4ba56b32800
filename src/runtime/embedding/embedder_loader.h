#pragma once
// Loads an embedder from a model file, or from the files of a split GGUF model or of a Hugging Face folder, which
// arrive in chunks.

#include <memory>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/embedding/text_embedder.h"

namespace quintet {

struct EmbedderOptions {
  std::optional<Format> format = {};  // of a model file; absent: detected
  size_t attention_heads = 0;         // for files that do not contain it; 0: unknown
  bool to_int8 = false;               // quantize matrices of floats while they are read
  bool ranks = false;                 // the model is a reranker
};

// For each file: begin_file(), feed() for its bytes in order, end_file(). Files that describe the model come first,
// then those of Dense modules, then the network. Errors have the offset in their file. A failed load leaves nothing
// behind except this object.
class EmbedderLoader {
 public:
  explicit EmbedderLoader(const EmbedderOptions& options);
  ~EmbedderLoader();

  // `path`: inside the model's folder; empty for the only file. `total`: its size, if known.
  Status begin_file(std::string_view path, std::optional<uint64_t> total);
  Status feed(Bytes chunk);
  Status end_file();
  // The file of the next feed() or end_file(), numbered in the order of begin_file(); without a call the last one.
  // Files with weights may overlap if each begins after the head of the one before was read.
  void choose_file(size_t file);
  size_t heads_read() const;  // of files with weights
  // After the last file: the model of an embedder or of a reranker.
  Result<std::unique_ptr<TextEmbedder::Model>> finish_model();
  Result<std::unique_ptr<TextEmbedder>> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quintet
