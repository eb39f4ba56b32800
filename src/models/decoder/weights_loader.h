#pragma once
// Receives the tensors of a decoder from any reader and stores each in its final place, in the form that the kernels
// read, while its bytes arrive. So the weights are in memory only once.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/model_sink.h"
#include "models/decoder/matrix_form.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

class WeightsLoader {
 public:
  // `most_bits`: matrices with more bits per value are requantized.
  explicit WeightsLoader(std::optional<BlockBits> max_bits) : max_bits_(max_bits) {}

  // Before the first tensor: the sizes, and the tensor names of the file.
  void begin(const DecoderConfig& config, const TensorNames& names);

  // Replaces the configuration of begin() by one with the same number of layers, for a model that only its last tensor
  // completes.
  void reconfigure(const DecoderConfig& config) { config_ = config; }

  // Announces a tensor: decides its place and its form. Returns the bytes that it takes in memory; 0 if the decoder has
  // no use for it.
  Result<uint64_t> announce(const TensorInfo& info);
  // Returns the sink for an announced tensor, or null if the decoder has no use for it. FORMAT (duplicate) for a second
  // tensor of the same kind.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);

  // All tensors were written, and check_decoder_tensors() accepted them.
  Result<Weights> take(const DecoderConfig& config);

 private:
  class DecoderExperts;
  std::optional<TensorRef> ref_of(const TensorInfo& info) const;
  bool is_used(const TensorRef& ref) const;
  Module& module_of(const TensorRef& ref);
  std::unique_ptr<ByteSink> experts_sink(const TensorArrival& tensor, const TensorRef& ref);

  // Decided when a tensor is announced.
  struct Slot {
    TensorRef ref;
    std::optional<MatrixForm> form;  // absent for a vector
  };

  std::optional<BlockBits> max_bits_;
  DecoderConfig config_;
  std::optional<TensorNames> names_;
  std::map<std::string, Slot, std::less<>> slots_;  // by the name of the tensor
  Weights weights_;                                 // all except the layers
  std::vector<std::unique_ptr<Layer>> layers_;      // null until the first of its tensors arrives
};

}  // namespace quintet::decoder
