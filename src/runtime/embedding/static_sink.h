#pragma once
// The sink of a reader that loads static embeddings into memory.

#include <memory>

#include "formats/model_sink.h"
#include "models/encoder/static_weights_loader.h"
#include "runtime/embedding/text_embedder.h"

namespace quintet {

class StaticSink final : public ModelSink {
 public:
  explicit StaticSink(bool to_int8) : loader_(weights_, to_int8) {}

  // The model, before its file with tensors. `is_model2vec`: texts are treated as model2vec does it; else as
  // sentence-transformers.
  void describe(ModelDescription description, SentenceConfig sentence, bool is_model2vec);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription) override { return {}; }

  // After the file, without the Dense modules.
  Result<std::unique_ptr<TextEmbedder::Model>> finish();

 private:
  ModelDescription description_;
  EncoderConfig config_;
  SentenceConfig sentence_;
  bool is_model2vec_ = false;
  encoder::Weights weights_;
  encoder::StaticWeightsLoader loader_;
};

}  // namespace quintet
