#pragma once
// An image classifier: pictures or preprocessed inputs in, logits or features out, step by step.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/model_description.h"
#include "image/prepare.h"
#include "models/vision/pass.h"

namespace quintet {

// What a caller says of the preparation; what is absent stays as it is.
struct PreparationOptions {
  std::optional<uint32_t> size = {}, shorter_side = {};  // either makes the input a square
  std::optional<std::array<float, 3>> mean = {}, standard_deviation = {};
};

class ImageClassifier {
 public:
  // What the files say of the pictures and the classes.
  struct Usage {
    Preparation preparation;
    std::vector<std::string> labels;  // of all classes, or none
  };

  ImageClassifier(ModelDescription description, std::unique_ptr<vision::ImageNetwork> network, Usage usage);

  const ModelDescription& description() const { return description_; }
  const vision::ImageNetwork& network() const { return *network_; }
  const std::vector<std::string>& labels() const { return usage_.labels; }

  // How pictures are prepared: as the files say, where a caller does not say otherwise.
  const Preparation& preparation() const { return usage_.preparation; }
  // INPUT for a shorter side that is less than the size.
  Status prepare_as(const PreparationOptions& options);
  Result<PreparedImage> prepare(const Pixels& picture) const;

  // Both start a pass and discard an unfinished one. A picture needs a network with three input channels; an input is
  // [channels][height][width], normalized and finite. Neither is needed afterwards.
  Status begin(const Pixels& picture, vision::Output output);
  Status begin(std::span<const float> input, uint64_t channels, uint64_t height, uint64_t width, vision::Output output);
  // Computes for a few milliseconds; true once the output is available.
  Result<bool> step();
  // The output of a complete pass; empty without one. Ends the pass.
  std::vector<float> take();
  // Discards the pass.
  void cancel();

 private:
  ModelDescription description_;
  std::unique_ptr<vision::ImageNetwork> network_;
  Usage usage_;
  std::unique_ptr<vision::Pass> pass_;
  bool complete_ = false;
};

}  // namespace quintet
