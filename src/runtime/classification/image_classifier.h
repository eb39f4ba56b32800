#pragma once
// An image network that is loaded: pictures or prepared inputs in, logits out, step by step.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "formats/model_description.h"
#include "image/prepare.h"
#include "models/resnet/network.h"

namespace quintet {

class ImageClassifier {
 public:
  ImageClassifier(ModelDescription description, std::unique_ptr<resnet::Network> network);

  const ModelDescription& description() const { return description_; }
  const resnet::Network& network() const { return *network_; }
  // Side of the pictures that such a network is made for: 224, or 32 for CIFAR's.
  uint32_t usual_input_size() const;

  // Each begins a pass and forgets the one before. A picture needs a network of three input channels; an input is
  // [channels][height][width], normalised, finite. Neither is needed afterwards.
  Status begin(const Pixels& picture, const Preparation& preparation);
  Status begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width);
  // Computes for a few milliseconds; true when the logits are there.
  Result<bool> step();
  // One value a class of a complete pass, else none; ends the pass.
  std::vector<float> take();
  // Forgets the pass.
  void cancel();

 private:
  ModelDescription description_;
  std::unique_ptr<resnet::Network> network_;
  std::unique_ptr<resnet::Pass> pass_;
  bool complete_ = false;
};

}  // namespace quintet
