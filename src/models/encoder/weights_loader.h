#pragma once
// Receives the tensors of an encoder from any reader and stores each in its final place: matrices are packed panel by
// panel while their bytes arrive, so that the weights are in memory only once.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "architectures/encoder/tensor_names.h"
#include "formats/model_sink.h"
#include "models/encoder/lora_merge.h"
#include "models/encoder/weights.h"

namespace quintet::encoder {

// The place of a tensor in the encoder.
using Place = std::variant<PackedMatrix*, RowTable*, AlignedBuffer<float>*>;

class WeightsLoader {
 public:
  // `to_int8`: matrices of floats are quantized as they arrive, row by row, as `convert --quantize int8-row` does it.
  WeightsLoader(Weights& weights, bool to_int8) : weights_(weights), to_int8_(to_int8) {}

  // Before the first tensor.
  void begin(const TensorNames& names, const EncoderConfig& config);
  // The tensors that are known in advance: the shape of its scale determines the groups of an int8 matrix.
  void announce(const std::vector<TensorInfo>& tensors);
  // The bytes that a tensor takes in memory, with its scales; 0 if the encoder has no use for it.
  uint64_t bytes_of(const TensorInfo& info);
  // Returns the sink for a tensor, or null if the encoder has no use for it.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // Combines int8 matrices with their scales, and completes norms without biases, after all tensors were written.
  Status finish();

 private:
  class EncoderExperts;
  struct Scales {
    std::string matrix;  // name of the tensor to which they belong
    AlignedBuffer<float> values;
  };
  // The storage of a matrix or table, and the number of columns that share one of the scales in the file.
  struct RowsForm {
    Storage storage = Storage::f32;
    bool quantizes = false;  // with new scales
    size_t group = 0;        // 0: no scales in the file
  };
  RowsForm rows_form(const TensorInfo& info, const TensorRef& ref) const;
  Result<std::unique_ptr<ByteSink>> sink_at(const TensorArrival& tensor, const TensorRef& ref, const Place& place);
  Result<std::unique_ptr<ByteSink>> experts_sink(const TensorArrival& tensor, const TensorRef& ref);
  template <class Rows>
  Result<std::unique_ptr<ByteSink>> rows_sink(const TensorArrival& tensor, const TensorRef& ref, Rows& rows);
  Status merge_adapters();
  Status join(const std::string& name, std::span<const float> scales);
  Result<std::unique_ptr<ByteSink>> scale_sink(const TensorArrival& tensor);
  size_t group_of(const TensorInfo& info) const;

  Weights& weights_;
  bool to_int8_;
  std::optional<TensorNames> names_;
  EncoderConfig config_;
  std::vector<std::pair<std::string, size_t>> groups_;  // int8 tensor -> number of columns that share a scale
  std::vector<std::unique_ptr<Scales>> scales_;
  LoraMerge lora_;
  std::vector<std::string> quantized_;  // names of the int8 tensors
};

}  // namespace quintet::encoder
