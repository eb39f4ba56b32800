#pragma once
// Statically quantized convolutions for tests, and what they should give.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "tests/kernels/convolution_operands.h"
#include "tests/kernels/random.h"

namespace quintet::testing {

constexpr int16_t kUntouchedActivation = 12345;

// The range of activations and weights: all values, or only the ends. With `positive` and `negative` all products have
// one sign: no sums are larger.
enum class StaticRange : uint8_t { any, ends, positive, negative };
constexpr StaticRange kStaticRanges[] = {StaticRange::any, StaticRange::ends, StaticRange::positive,
                                         StaticRange::negative};

struct StaticConvolution {
  // `symmetric`: the zero point of the weights is 0.
  StaticConvolution(const ConvShape& shape, StaticRange range, bool with_residual, Random& random,
                    bool symmetric = false);
  StaticConvolution(const StaticConvolution&) = delete;

  ConvShape shape;
  int input_zero;
  std::vector<int16_t> input;  // q - zero point
  std::vector<int16_t> exact;  // weights less their zero point, [outputs][kernel][kernel][channels]
  PairedMatrix weights;
  std::vector<int32_t> bias;
  std::vector<int16_t> residual;  // where outputs lie
  StaticEpilogue epilogue;
};

// All outputs; between and after the pixels of a row kUntouchedActivation.
std::vector<int16_t> expected_outputs(const StaticConvolution& convolution);

}  // namespace quintet::testing
