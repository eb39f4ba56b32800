#include "kernels/variants.h"

namespace quintet::simd128 {

void convolve_i16(const int16_t* input, const Windows& windows, const PairedMatrix& w, const int16_t* panels,
                  int16_t* output, const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile) {
  scalar::convolve_i16(input, windows, w, panels, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
