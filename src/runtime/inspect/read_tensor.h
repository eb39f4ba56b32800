#pragma once
// Reads one tensor of any type from a model file as float32.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "base/aligned_buffer.h"
#include "formats/model_sink.h"

namespace quintet {

struct TensorValues {
  std::string_view dtype;  // in which it is stored, spelled as in the format
  std::vector<uint64_t> shape;
  AlignedBuffer<float> values;
};

// The sink of a reader that ignores all tensors but one. Quantized values are returned with their scales applied.
class TensorReadingSink final : public ModelSink {
 public:
  explicit TensorReadingSink(std::string name) : name_(std::move(name)) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // After a successful read.
  TensorValues take() { return std::move(tensor_); }

 private:
  bool is_wanted(const TensorInfo& info) const;

  std::string name_;
  std::optional<decoder::TensorNames> names_;  // of a file that lists its tensors before their data
  Format format_ = Format::embd;
  bool found_ = false;
  bool scaled_ = false;  // an int8 matrix of a .weights file, whose scales are a separate tensor
  TensorValues tensor_;
  AlignedBuffer<float> scales_;
};

}  // namespace quintet
