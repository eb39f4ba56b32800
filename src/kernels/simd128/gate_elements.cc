#include "kernels/generic/gate.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {

void gate_elements(Gate activation, const float* gate, const float* up, size_t count, float* y) {
  generic::gate_elements<Arithmetic>(activation, gate, up, count, y);
}

}  // namespace quintet::simd128
