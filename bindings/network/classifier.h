#pragma once
// Classifier: an image network that takes pictures or prepared inputs and answers step by step.

#include <memory>
#include <string>

#include "bindings/outcome.h"
#include "bindings/window.h"
#include "runtime/classification/image_classifier.h"

namespace quintet::js {

class Classifier : Counted {
 public:
  explicit Classifier(std::unique_ptr<ImageClassifier> classifier) : classifier_(std::move(classifier)) {}

  std::string info() const;
  unsigned classes() const { return classifier_->network().classes(); }
  unsigned input_channels() const { return classifier_->network().input_channels(); }
  unsigned usual_input_size() const { return classifier_->usual_input_size(); }

  val pixel_window(double bytes);
  val begin_picture(double width, double height, double channels, double size, double shorter_side, const val& mean,
                    const val& standard_deviation);
  val input_window(double values);
  val begin_input(double channels, double height, double width);

  val step();
  val take() { return float32_array(classifier_->take()); }
  void cancel() { classifier_->cancel(); }

 private:
  std::unique_ptr<ImageClassifier> classifier_;
  Window window_;
};

}  // namespace quintet::js
