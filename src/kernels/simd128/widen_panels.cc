#include "kernels/generic/dot_i16.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

using generic::kPanelPair;

void widen_segment(const int8_t* values, size_t pairs, const int16_t* zero_points, int16_t* out) {
  const v128_t zeros[2] = {generic::paired_zeros(zero_points), generic::paired_zeros(zero_points + 4)};
  for (size_t i = 0; i < pairs; ++i, values += kPanelPair, out += kPanelPair) {
    wasm_v128_store(out, wasm_i16x8_sub(wasm_i16x8_load8x8(values), zeros[0]));
    wasm_v128_store(out + 8, wasm_i16x8_sub(wasm_i16x8_load8x8(values + 8), zeros[1]));
  }
}

// Of the last pair of a segment of odd length the second values do not exist.
void clear_second(int16_t* pair) {
  for (size_t i = 1; i < kPanelPair; i += 2) pair[i] = 0;
}

}  // namespace

// Outputs that do not exist have zeros for values and zero points.
void widen_panels(const PairedMatrix& w, size_t begin, size_t end, int16_t* out) {
  const size_t pairs = w.pairs();
  for (size_t p = begin; p < end; ++p) {
    const int8_t* values = w.panel(p);
    for (size_t s = 0; s < w.segments(); ++s, values += pairs * kPanelPair, out += pairs * kPanelPair) {
      widen_segment(values, pairs, w.zero_points(p) + s * kPanelRows, out);
      if (w.length() % 2 != 0) clear_second(out + (pairs - 1) * kPanelPair);
    }
  }
}

}  // namespace quintet::simd128
