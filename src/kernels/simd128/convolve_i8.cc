// Only relaxed SIMD has a fused dot product, so no network calls these.

#include "kernels/convolve_i8.h"

#include "kernels/variants.h"

namespace quintet::simd128 {

void interleave_windows(const int16_t* input, const Im2colView& view, int32_t zero_point, size_t begin, size_t end,
                        uint8_t* q) {
  scalar::interleave_windows(input, view, zero_point, begin, end, q);
}

void interleave_panels(const PairedMatrix& w, size_t begin, size_t end, int8_t* out) {
  scalar::interleave_panels(w, begin, end, out);
}

void convolve_i8(const uint8_t* q, int32_t zero_point, const PairedMatrix& w, const int8_t* panels, int16_t* output,
                 const OutputGrid& grid, const StaticEpilogue& epilogue, const ConvTile& tile) {
  scalar::convolve_i8(q, zero_point, w, panels, output, grid, epilogue, tile);
}

}  // namespace quintet::simd128
