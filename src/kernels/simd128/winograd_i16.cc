#include "kernels/variants.h"

namespace quintet::simd128 {

void winograd_input_i16(const int16_t* input, const WinogradTiles& tiles, int16_t* v) {
  scalar::winograd_input_i16(input, tiles, v);
}

void winograd_weights_i16(const PairedMatrix& w, size_t channels, size_t begin, size_t end, int16_t* u) {
  scalar::winograd_weights_i16(w, channels, begin, end, u);
}

void winograd_multiply_i16(const int16_t* v, const int16_t* u, size_t channels, int16_t* output,
                           const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile) {
  scalar::winograd_multiply_i16(v, u, channels, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
