#include "kernels/variants.h"

namespace quintet::relaxed {

void convolve_f32(const float* input, const Windows& windows, const PackedMatrix& w, float* output,
                  const OutputGrid& grid, const FloatEpilogue& epilogue, const ConvTile& tile) {
  scalar::convolve_f32(input, windows, w, output, grid, epilogue, tile);
}

}  // namespace quintet::relaxed
