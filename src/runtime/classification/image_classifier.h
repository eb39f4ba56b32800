#pragma once
// An image classifier: pictures or preprocessed inputs in, logits out, step by step.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "formats/model_sink.h"
#include "image/prepare.h"
#include "models/resnet/network.h"

namespace quintet {

class ImageClassifier {
 public:
  ImageClassifier(ModelDescription description, std::unique_ptr<resnet::Network> network);

  const ModelDescription& description() const { return description_; }
  const resnet::Network& network() const { return *network_; }
  // Usual side length of the input.
  uint32_t usual_input_size() const { return network_->graph().usual_input_size(); }

  // Both start a pass and discard an unfinished one. A picture needs a network with three input channels; an input is
  // [channels][height][width], normalized and finite. Neither is needed afterwards.
  Status begin(const Pixels& picture, const Preparation& preparation);
  Status begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width);
  // Computes for a few milliseconds; true once the logits are available.
  Result<bool> step();
  // The logits of a complete pass, one per class; empty without one. Ends the pass.
  std::vector<float> take();
  // Discards the pass.
  void cancel();

 private:
  ModelDescription description_;
  std::unique_ptr<resnet::Network> network_;
  std::unique_ptr<resnet::Pass> pass_;
  bool complete_ = false;
};

// Loads a classifier from a tinyRuntime file: the sink of read_network_model().
class ClassifierLoader final : public ModelSink {
 public:
  ClassifierLoader();

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription description) override;

  // The classifier, once the file has been read; null before that and after an error.
  std::unique_ptr<ImageClassifier> take();

 private:
  resnet::NetworkLoader network_;
  std::unique_ptr<ImageClassifier> classifier_;
};

}  // namespace quintet
