#pragma once
// Who looks at what a network computes while it runs.

#include <cstdint>
#include <span>
#include <string_view>

#include "formats/layer_table.h"

namespace quintet::resnet {

// The stages in the order of computing: "stem" with its pooling, each "block"; statically quantized networks also show
// "input" and the steps of the tail: "pooled", "concat", "fc0_in", "fc0_out", "fc1_in", "fc1_out". Values are
// [channels][height][width].
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  virtual void see_floats(std::string_view, std::span<const float>) {}
  // Of statically quantized networks.
  virtual void see_bytes(std::string_view, const ActivationQuantization&, std::span<const uint8_t>) {}
};

// Activations that a statically quantized network gives a scale of their own (docs/formats/tinyruntime.md, "Values").
struct ActivationSite {
  enum class Kind : uint8_t {
    entry,   // LayerTable::activations[index]: the input, a block's sum, what the tail's layers read
    conv,    // the output of LayerTable::convs[index]
    linear,  // the output of LayerTable::linears[index]
  };
  Kind kind;
  uint32_t index;
};

// For calibration.
class ActivationObserver {
 public:
  virtual ~ActivationObserver() = default;
  // In the order of computing. Where a ReLU follows, the values are those behind it: the quantized network clamps
  // there.
  virtual void observe(ActivationSite site, std::span<const float> values) = 0;
};

}  // namespace quintet::resnet
