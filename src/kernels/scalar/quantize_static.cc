#include <cmath>

#include "kernels/scalar/static_epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {

void quantize_static(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y) {
  for (size_t i = 0; i < count; ++i) {
    const float steps = x[i] / scale;
    y[i] = std::isnan(steps) ? int16_t{0} : round_and_clamp(steps, -zero_point, 255 - zero_point);
  }
}

}  // namespace quintet::scalar
