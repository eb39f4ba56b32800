#pragma once
// An image network of any kind, and the path of one image through it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"

namespace quintet::vision {

// What a pass computes: one value per class, or the vector that the classifier reads.
enum class Output : uint8_t { logits, features };

// Runs one image through a network, step by step, so that callers can handle events in between.
class Pass {
 public:
  virtual ~Pass() = default;
  // Computes for some milliseconds. True once the output is available. After that, or an error, the pass cannot
  // continue.
  virtual Result<bool> step() = 0;
  // After the last step.
  virtual std::vector<float> take() = 0;
};

// All steps at once, and the output.
Result<std::vector<float>> finish(Pass& pass);

class ImageNetwork {
 public:
  virtual ~ImageNetwork() = default;

  virtual uint32_t input_channels() const = 0;
  virtual uint32_t classes() const = 0;
  // Numbers of a vector of features; 0 if it is not known here.
  virtual uint32_t features() const { return 0; }
  // Usual side length of the input.
  virtual uint32_t usual_input_size() const = 0;
  // Memory of the weights.
  virtual uint64_t bytes() const = 0;
  // The most memory that the maps of a pass over an image of the usual size take; 0 if it is not known here.
  virtual uint64_t work_bytes() const { return 0; }

  // image [channels][height][width], normalized, of any size that the network accepts; it is not needed afterwards. The
  // network must outlive the pass.
  virtual Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width,
                                              Output output) const = 0;

 protected:
  // INPUT for an empty image, or one with another number of values than its sizes imply.
  Status check_image(std::span<const float> image, size_t height, size_t width) const;
};

}  // namespace quintet::vision
