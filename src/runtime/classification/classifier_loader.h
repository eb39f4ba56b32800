#pragma once
// Loads an image classifier from a tinyRuntime file that arrives in chunks.

#include <memory>

#include "formats/model_sink.h"
#include "models/resnet/network_loader.h"
#include "runtime/classification/image_classifier.h"

namespace quintet {

// The sink of read_network_model(); afterwards take() gives the classifier. A reader that fails leaves nothing behind
// but this object.
class ClassifierLoader final : public ModelSink {
 public:
  ClassifierLoader();

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<TensorSink>> tensor(const TensorInfo& info, bool certain) override;
  Status end(ModelDescription description) override;

  // The loaded classifier, after a read that succeeded.
  std::unique_ptr<ImageClassifier> take();

 private:
  resnet::NetworkLoader network_;
  std::unique_ptr<ImageClassifier> classifier_;
};

}  // namespace quintet
