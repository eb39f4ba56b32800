#include "kernels/relaxed/relaxed_dot.h"

#include "kernels/wasm_simd.h"

namespace quintet::relaxed {

RelaxedDot relaxed_dot() {
  // Volatile, so that the engine computes it and not the compiler.
  volatile int32_t lowest = static_cast<int32_t>(0x80808080);
  volatile int32_t greatest = -1;
  const v128_t sums =
      wasm_i32x4_relaxed_dot_i8x16_i7x16_add(wasm_i32x4_splat(lowest), wasm_i32x4_splat(greatest), wasm_i32x4_splat(0));
  switch (wasm_i32x4_extract_lane(sums, 0)) {
    case 2 * INT16_MIN:
      return RelaxedDot::paired;
    case 4 * -128 * -1:
      return RelaxedDot::fused_signed;
    default:  // 4 * -128 * 255. The standard allows no other; the self test of the kernels finds an engine that errs.
      return RelaxedDot::fused_unsigned;
  }
}

}  // namespace quintet::relaxed
