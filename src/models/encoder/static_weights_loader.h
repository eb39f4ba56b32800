#pragma once
// Receives the tensors of static embeddings and stores each in its final place.

#include <memory>

#include "architectures/encoder/config.h"
#include "formats/model_sink.h"
#include "models/encoder/weights.h"

namespace quintet::encoder {

class StaticWeightsLoader {
 public:
  // `to_int8`: the table is quantized as it arrives, row by row.
  StaticWeightsLoader(Weights& weights, bool to_int8) : weights_(weights), to_int8_(to_int8) {}

  // Returns the sink for a tensor, whose shape was checked, or null if the model has no use for it.
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // After all tensors were written. LIMIT for a token without a row.
  Status finish();

 private:
  Result<std::unique_ptr<ByteSink>> table_sink(const TensorArrival& tensor);

  Weights& weights_;
  bool to_int8_;
  AlignedBuffer<float> mapping_;
};

}  // namespace quintet::encoder
