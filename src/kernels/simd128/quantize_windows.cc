#include "kernels/variants.h"

namespace quintet::simd128 {

void quantize_windows(const float* input, const Windows& windows, const WindowGroups& groups, size_t begin, size_t end,
                      int16_t* q, float* scales) {
  scalar::quantize_windows(input, windows, groups, begin, end, q, scales);
}

}  // namespace quintet::simd128
