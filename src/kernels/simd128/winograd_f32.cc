#include "kernels/variants.h"

namespace quintet::simd128 {

void winograd_input_f32(const float* input, const WinogradTiles& tiles, float* v) {
  scalar::winograd_input_f32(input, tiles, v);
}

void winograd_weights_f32(const PackedMatrix& w, size_t channels, size_t begin, size_t end, float* u) {
  scalar::winograd_weights_f32(w, channels, begin, end, u);
}

void winograd_multiply_f32(const float* v, const float* u, size_t channels, float* output, const OutputGrid& grid,
                           const FloatEpilogue& epilogue, const ConvTile& tile) {
  scalar::winograd_multiply_f32(v, u, channels, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
