#pragma once
// Loads a network of tinyRuntime as float32: from a checkpoint, folding its batch norms, or from a file of tinyRuntime.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/vision/checkpoint.h"
#include "runtime/convert/source_model.h"
#include "tensor/codecs/payload.h"

namespace quintet {

class FloatNetwork {
 public:
  // Requires a source of the family `network`.
  static Result<FloatNetwork> create(const SourceModel& source);

  // The range to feed next; nothing once all tensors have arrived.
  Result<std::optional<Range>> next_range();
  Status feed(Bytes piece);
  // After the last range: folds the batch norms.
  Status fold();

  const tinyruntime::Network& graph() const { return checkpoint_.graph; }
  const LayerTable& layers() const { return checkpoint_.layers; }
  // The tensors in the order of the format, and their values after folding.
  const std::vector<NetworkSource>& tensors() const { return checkpoint_.sources; }
  std::span<const std::vector<float>> values() const { return folded_; }

 private:
  explicit FloatNetwork(NetworkCheckpoint checkpoint) : checkpoint_(std::move(checkpoint)) {}

  Status begin_tensor();
  std::vector<float>& loaded(std::string_view name);  // a tensor of the source that create() needs

  NetworkCheckpoint checkpoint_;
  std::vector<SourceTensor> inputs_;
  size_t next_ = 0;                    // of the inputs
  std::unique_ptr<ByteSink> decoder_;  // of the current input
  std::vector<Range> ranges_;
  size_t range_ = 0;
  std::vector<std::vector<float>> loaded_;  // as inputs_
  std::vector<std::vector<float>> folded_;  // as tensors()
};

}  // namespace quintet
