#include "kernels/variants.h"

namespace quintet::simd128 {

void widen_panels(const PairedMatrix& w, size_t begin, size_t end, int16_t* out) {
  scalar::widen_panels(w, begin, end, out);
}

}  // namespace quintet::simd128
