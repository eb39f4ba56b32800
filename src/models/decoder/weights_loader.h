#pragma once
// Takes the tensors of a decoder from any reader and stores each in its final place, in the form that the kernels read,
// while its bytes arrive. So the weights are in memory only once.

#include <memory>
#include <optional>
#include <vector>

#include "formats/model_sink.h"
#include "models/decoder/matrix_form.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

class WeightsLoader {
 public:
  // `most_bits`: matrices with more bits per value are requantized.
  explicit WeightsLoader(std::optional<BlockBits> most_bits) : most_bits_(most_bits) {}

  // Before the first tensor: the sizes, and the tensor names of the file.
  void begin(const DecoderConfig& config, const TensorNames& names);

  // For a file whose configuration is only complete with its last tensor: replaces that of begin(), with the same
  // number of layers.
  void settle(const DecoderConfig& config) { config_ = config; }

  // Bytes that a tensor takes in memory; 0 if the decoder has no use for it.
  Result<uint64_t> memory_of(const TensorInfo& info) const;
  // A sink for one tensor; null if the decoder has no use for it. Same arguments as ModelSink::tensor. FORMAT
  // (duplicate) for a second tensor of one part.
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain);

  // All tensors were written, and check_decoder_tensors() accepted them.
  Result<Weights> take(const DecoderConfig& config);

 private:
  std::optional<Role> role_of(const TensorInfo& info) const;
  Module& module_of(const Role& role);
  AlignedBuffer<float>* rope_factors(Part part);  // null for other parts

  std::optional<BlockBits> most_bits_;
  DecoderConfig config_;
  std::optional<TensorNames> names_;
  Weights around_;                              // all except the layers
  std::vector<std::unique_ptr<Layer>> layers_;  // null until the first of its tensors arrives
};

}  // namespace quintet::decoder
