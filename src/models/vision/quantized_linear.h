#pragma once
// A linear layer over tokens in int8: weights with a scale for each output, activations with one for each token.

#include <cstdint>
#include <memory>
#include <span>

#include "base/result.h"
#include "models/vision/node_convolution.h"

namespace quintet::vision {

// weight [out][inputs] and bias [out], which must be finite. The layer takes maps of one row, and an epilogue without
// bounds.
Result<std::unique_ptr<NodeConvolution>> quantized_linear(std::span<const float> weight, std::span<const float> bias,
                                                          uint32_t inputs);

}  // namespace quintet::vision
