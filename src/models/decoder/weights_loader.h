#pragma once
// Takes the tensors of a decoder from any reader and puts each where the forward pass wants it, in the form that the
// kernels read, while its bytes arrive: the weights exist once.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "formats/decoder_config.h"
#include "formats/model_sink.h"
#include "models/decoder/matrix_form.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

class WeightsLoader {
 public:
  // `most_bits`: matrices with more bits a value are requantized.
  explicit WeightsLoader(std::optional<BlockBits> most_bits) : most_bits_(most_bits) {}

  // Before the first tensor: the sizes, and with what the file tells of its tensors' order.
  void begin(const DecoderConfig& config, const ModelDescription& description);

  // Bytes that a tensor takes in memory; 0 where the decoder has no use for it.
  Result<uint64_t> memory_of(const TensorInfo& info) const;
  // A sink for one tensor; null where the decoder has no use for it. Same arguments as ModelSink::tensor.
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain);

  // All tensors were written, and check_decoder_tensors() has found them to be those of the config.
  Result<Weights> take(const DecoderConfig& config);

 private:
  // What stands under one name in the file: "model.layers.0.self_attn.q_proj".
  struct Module {
    WeightMatrix matrix;
    AlignedBuffer<float> vector;  // of a norm
    AlignedBuffer<float> bias;
  };
  bool is_used(std::string_view name) const;
  bool has(const std::string& name) const;
  Projection projection(const std::string& module);
  Norm norm(const std::string& module);
  Layer layer(const std::string& prefix);

  std::optional<BlockBits> most_bits_;
  DecoderConfig config_;
  ModelDescription order_;  // format, architecture and config alone
  std::map<std::string, Module> modules_;
};

}  // namespace quintet::decoder
