#include "kernels/variants.h"

namespace quintet::simd128 {

void multiply_groups(const int16_t* q, const float* scales, const PairedMatrix& w, const int16_t* panels, float* output,
                     const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile) {
  scalar::multiply_groups(q, scales, w, panels, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
