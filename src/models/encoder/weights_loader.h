#pragma once
// Receives the tensors of an encoder (models/transformer/weights_loader.h) and stores each: matrices in plain types or
// as int8 rows, embeddings as tables of rows.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "models/encoder/lora_merge.h"
#include "models/encoder/weights.h"
#include "models/transformer/weights_loader.h"

namespace quintet::encoder {

class WeightsLoader final : public transformer::WeightsLoader<WeightsLoader> {
 public:
  // `to_int8`: matrices of floats are quantized as they arrive, row by row, as `convert --quantize int8-row` does it.
  WeightsLoader(Weights& weights, bool to_int8) : weights_(weights), to_int8_(to_int8) {}

  // Before the first tensor.
  void begin(const TensorNames& names, const EncoderConfig& config);
  // Announces a tensor: the shape of its scales determines the groups of an int8 matrix.
  Status announce(const TensorInfo& info);
  // The bytes that an announced tensor takes in memory, with its scales; 0 if the encoder has no use for it.
  uint64_t bytes_of(const TensorInfo& info);
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // Combines matrices with their scales and adapters, and completes norms, after all tensors were written.
  Status finish();

 private:
  friend transformer::WeightsLoader<WeightsLoader>;
  // The tensors that are combined with a matrix when all have arrived.
  struct Companions {
    uint64_t groups = 1;  // of a row, each with its own scale
    AlignedBuffer<float> scales;
    LoraFactors lora;
    // Known when the matrix arrives; null before that.
    PackedMatrix* matrix = nullptr;
    RowTable* table = nullptr;
    bool needs_scales = false, to_int8 = false;
  };
  struct Form {
    // Without values; nothing is allocated.
    template <class Rows>
    Rows empty(const TensorInfo& info) const {
      return Rows(storage, static_cast<size_t>(info.shape[0]), static_cast<size_t>(info.shape[1]), group);
    }

    Storage storage;
    size_t group = 0;         // number of columns that share a scale of the file; 0: there are none
    bool keeps_type = false;  // else values are widened or quantized
    bool has_companions = false;
  };

  const TransformerConfig& config() const override { return config_; }
  std::optional<TensorRef> ref_of(const TensorInfo& info) const override;
  TensorOrder order_of(const TensorRef& ref) const override { return names_->order_of(ref, config_); }
  Result<std::unique_ptr<ByteSink>> place(const TensorArrival& rows, const TensorRef& ref);
  Result<std::unique_ptr<ByteSink>> scale_sink(const TensorArrival& tensor, const std::string& matrix);
  template <class Rows>
  Result<std::unique_ptr<ByteSink>> rows_sink(const TensorArrival& tensor, const TensorRef& ref, Rows& rows,
                                              Rows* Companions::* place);
  Result<Form> form_of(const TensorInfo& info, const TensorRef& ref);
  RowTable* table_of(TensorKind kind);
  Module& module_of(const TensorRef& ref);
  template <class Rows>
  Status complete(const std::string& name, const Companions& companions, Rows& rows) const;

  Weights& weights_;
  bool to_int8_;
  std::optional<TensorNames> names_;
  EncoderConfig config_;
  LoraMerge lora_;
  std::map<std::string, Companions, std::less<>> companions_;  // by the name of the matrix
};

}  // namespace quintet::encoder
