#pragma once
// Receives the tensors of a decoder (models/transformer/weights_loader.h) and stores each in the form that the kernels
// read: matrices in blocks.

#include <memory>
#include <optional>
#include <vector>

#include "models/decoder/weights.h"
#include "models/transformer/weights_loader.h"

namespace quintet::decoder {

class WeightsLoader final : public transformer::WeightsLoader<WeightsLoader> {
 public:
  // `max_bits`: matrices with more bits per value are requantized.
  explicit WeightsLoader(std::optional<BlockBits> max_bits) : max_bits_(max_bits) {}

  // Before the first tensor: the sizes, and the tensor names of the file.
  void begin(const DecoderConfig& config, const TensorNames& names);

  // Replaces the configuration of begin() by one with the same number of layers, for a model that only its last tensor
  // completes.
  void reconfigure(const DecoderConfig& config) { config_ = config; }

  // Announces a tensor. Returns the bytes that it takes in memory; 0 if the decoder has no use for it.
  Result<uint64_t> announce(const TensorInfo& info);

  // All tensors were written, and check_decoder_tensors() accepted them.
  Result<Weights> take(const DecoderConfig& config);

 private:
  friend transformer::WeightsLoader<WeightsLoader>;
  const TransformerConfig& config() const override { return config_; }
  std::optional<TensorRef> ref_of(const TensorInfo& info) const override;
  TensorOrder order_of(const TensorRef& ref) const override { return names_->order_of(ref, config_); }
  Result<std::unique_ptr<ByteSink>> place(const TensorArrival& rows, const TensorRef& ref);
  bool is_used(const TensorRef& ref) const;
  std::optional<BlockBits> max_bits_of(const TensorRef& ref) const;
  Module& module_of(const TensorRef& ref);

  std::optional<BlockBits> max_bits_;
  DecoderConfig config_;
  std::optional<TensorNames> names_;
  Weights weights_;                             // all except the layers
  std::vector<std::unique_ptr<Layer>> layers_;  // null until the first of its tensors arrives
};

}  // namespace quintet::decoder
