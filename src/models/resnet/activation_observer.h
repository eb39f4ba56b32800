#pragma once
// A look at the activations of a network while it runs, for static quantization.

#include <cstdint>
#include <span>

namespace quintet::resnet {

// Activations that a statically quantized network gives a scale of their own (RULINGS "tinyRuntime" 5).
struct ActivationSite {
  enum class Kind : uint8_t {
    entry,   // LayerTable::activations[index]: the input, a block's sum, what the tail's layers read
    conv,    // the output of LayerTable::convs[index]
    linear,  // the output of LayerTable::linears[index]
  };
  Kind kind;
  uint32_t index;
};

class ActivationObserver {
 public:
  virtual ~ActivationObserver() = default;
  // In the order of computing. Where a ReLU follows, the values are those behind it: the quantized network clamps
  // there.
  virtual void observe(ActivationSite site, std::span<const float> values) = 0;
};

}  // namespace quintet::resnet
