#pragma once
// An image classifier: pictures or preprocessed inputs in, logits or features out, step by step.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/model_description.h"
#include "runtime/image_network/picture_network.h"

namespace quintet {

class ImageClassifier : public PictureNetwork {
 public:
  // The preparation of pictures and the classes, from the files.
  struct Usage {
    Preparation preparation;
    std::vector<std::string> labels;  // of all classes, or none
  };

  ImageClassifier(ModelDescription description, std::unique_ptr<vision::ImageNetwork> network, Usage usage)
      : PictureNetwork(std::move(network), usage.preparation),
        description_(std::move(description)),
        labels_(std::move(usage.labels)) {}

  const ModelDescription& description() const { return description_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  ModelDescription description_;
  std::vector<std::string> labels_;
};

}  // namespace quintet
