#pragma once
// The file that a conversion writes, and how far it is.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "architectures/model_files.h"

namespace quintet {

struct ConvertProgress {
  std::string tensor;  // that is being written
  size_t done = 0;     // tensors that were begun before it
  size_t total = 0;    // 0 until it is known
};

class ModelOutput {
 public:
  // The file's head. Fills in the tensors' places, as far as the format fixes them beforehand.
  Status begin(Format format, ModelDescription& description);
  // The tensor whose payload comes next.
  Status begin_tensor(const TensorInfo& info);
  Status write(Bytes payload) { return writer_->write(payload, ready_); }
  Status finish();

  // Bytes of the file that are ready.
  std::vector<std::byte> take() { return std::exchange(ready_, {}); }
  const ConvertProgress& progress() const { return progress_; }

 private:
  std::unique_ptr<ModelWriter> writer_;
  std::vector<std::byte> ready_;
  ConvertProgress progress_;
  size_t begun_ = 0;
};

}  // namespace quintet
