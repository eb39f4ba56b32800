#pragma once
// Loads an embedder from a model file that arrives in chunks.

#include <memory>
#include <optional>

#include "formats/model_sink.h"
#include "models/encoder/weights_loader.h"
#include "runtime/embedding/text_embedder.h"

namespace quintet {

// The sink for a reader; afterwards take() returns the embedder. A failed read leaves nothing behind except this
// object.
class EmbedderLoader final : public ModelSink {
 public:
  // `attention_heads`: for files that do not contain it, 0 if unknown.
  explicit EmbedderLoader(size_t attention_heads);

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

  // The loaded embedder, after a successful read.
  std::unique_ptr<TextEmbedder> take();

 private:
  size_t attention_heads_;
  std::optional<EncoderConfig> config_;
  encoder::Weights weights_;
  encoder::WeightsLoader tensors_;
  std::unique_ptr<TextEmbedder::Model> model_;
};

}  // namespace quintet
