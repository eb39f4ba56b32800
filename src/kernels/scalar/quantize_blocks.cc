#include <cmath>

#include "kernels/block_activations.h"
#include "kernels/quantization.h"
#include "kernels/scalar/largest_magnitude.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

ByteActivation quantize_block(const float* x, size_t count) {
  const RowScale factors = row_scale(largest_magnitude(x, count), kBlockActivationSteps);
  ByteActivation block = {};
  block.scale = factors.scale;
  if (factors.inverse != 0) {
    for (size_t i = 0; i < count; ++i) {
      // Rounds half to even.
      block.q[i] = static_cast<int8_t>(std::lrint(x[i] * factors.inverse));
    }
  }
  for (size_t i = 0; i < count; ++i) {
    int16_t& pair = block.negative_pairs[i % kQuad / 2];
    pair = static_cast<int16_t>(pair - 8 * block.q[i]);
    block.negative_sum -= block.q[i];
  }
  block.scaled_sum = static_cast<float>(-block.negative_sum) * block.scale;
  return block;
}

}  // namespace

void quantize_blocks(const float* x, size_t x_stride, size_t rows, size_t cols, size_t block, std::byte* q) {
  const size_t blocks = cols / block;
  for (size_t r = 0; r < rows; ++r) {
    auto* const out = reinterpret_cast<ByteActivation*>(q + r * block_activation_bytes(blocks));
    for (size_t b = 0; b < blocks; ++b) out[b] = quantize_block(x + r * x_stride + b * block, block);
  }
}

}  // namespace quintet::scalar
