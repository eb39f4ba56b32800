#pragma once
// A look at what the stages of a network give, while it runs.

#include <cstdint>
#include <span>
#include <string_view>

#include "formats/layer_table.h"

namespace quintet::resnet {

// In the order of computing: "stem" with its pooling, each "block"; statically quantized networks also show "input" and
// the steps of the tail: "pooled", "concat", "fc0_in", "fc0_out", "fc1_in", "fc1_out". Values are
// [channels][height][width].
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  virtual void see_floats(std::string_view, std::span<const float>) {}
  // Of statically quantized networks.
  virtual void see_bytes(std::string_view, const ActivationQuantization&, std::span<const uint8_t>) {}
};

}  // namespace quintet::resnet
