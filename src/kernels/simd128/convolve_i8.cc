// Only relaxed SIMD has a fused dot product, so no network calls these.

#include "kernels/convolve_i8.h"

#include "kernels/variants.h"

namespace quintet::simd128 {

void interleave_windows(const InterleaveWindowsOperands& operands) { scalar::interleave_windows(operands); }

void interleave_panels(const PairedMatrix& w, size_t begin, size_t end, int8_t* out) {
  scalar::interleave_panels(w, begin, end, out);
}

void convolve_i8(const ConvolveI8Operands& operands, const StaticEpilogue& epilogue, const ConvTile& tile) {
  scalar::convolve_i8(operands, epilogue, tile);
}

}  // namespace quintet::simd128
