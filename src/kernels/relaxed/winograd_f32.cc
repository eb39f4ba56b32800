#include "kernels/variants.h"

namespace quintet::relaxed {

void winograd_multiply_f32(const float* v, const float* u, size_t channels, float* output, const OutputGrid& grid,
                           const FloatEpilogue& epilogue, const ConvTile& tile) {
  scalar::winograd_multiply_f32(v, u, channels, output, grid, epilogue, tile);
}

}  // namespace quintet::relaxed
