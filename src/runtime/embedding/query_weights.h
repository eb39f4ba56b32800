#pragma once
// The sink for the weights of tokens in queries (SparseStaticEmbedding): `weight`, one for each entry of the
// vocabulary.

#include <cstdint>
#include <memory>
#include <utility>

#include "base/aligned_buffer.h"
#include "formats/model_sink.h"

namespace quintet {

class QueryWeightsSink final : public ModelSink {
 public:
  explicit QueryWeightsSink(uint64_t n_vocab) : n_vocab_(n_vocab) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription) override { return {}; }
  // After a successful read.
  AlignedBuffer<float> take() { return std::move(weights_); }

 private:
  uint64_t n_vocab_;
  AlignedBuffer<float> weights_;
};

}  // namespace quintet
