#pragma once
// Takes the tensors of a BERT encoder from any reader and stores each in its final place: matrices are packed panel by
// panel while their bytes arrive, so that the weights are in memory only once.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/model_sink.h"
#include "models/encoder/weights.h"

namespace quintet::encoder {

class WeightsLoader {
 public:
  explicit WeightsLoader(Weights& weights) : weights_(weights) {}

  // The tensors that are known beforehand: the shape of its scale determines the groups of an int8 matrix.
  void announce(const std::vector<TensorInfo>& tensors);
  // A sink for one tensor; null if the encoder has no use for it. Same arguments as ModelSink::tensor.
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain);
  // Combines int8 matrices with their scales, after all tensors were written.
  Status finish();

 private:
  struct Scales {
    std::string matrix;  // name of the tensor to which they belong
    AlignedBuffer<float> values;
  };
  Status join(const std::string& name, std::span<const float> scales);
  Result<std::unique_ptr<TensorSink>> matrix_sink(const TensorInfo& info, PackedMatrix& matrix, bool certain);
  Result<std::unique_ptr<TensorSink>> table_sink(const TensorInfo& info, RowTable& table, bool certain);
  Result<std::unique_ptr<TensorSink>> scale_sink(const TensorInfo& info);
  size_t group_of(const TensorInfo& info) const;

  Weights& weights_;
  std::vector<std::pair<std::string, size_t>> groups_;  // int8 tensor -> number of columns that share a scale
  std::vector<std::unique_ptr<Scales>> scales_;
  std::vector<std::string> quantized_;  // names of the int8 tensors
};

}  // namespace quintet::encoder
