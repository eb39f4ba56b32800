#include "kernels/generic/static_epilogue.h"
#include "kernels/generic/vector.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

struct Quantizer {
  generic::Splat scale, low, high;

  // Four values as integers in floats.
  v128_t operator()(v128_t x, const generic::RoundingConstants& constants) const {
    const v128_t steps = wasm_f32x4_div(x, scale);
    const v128_t numbers = wasm_v128_and(steps, wasm_f32x4_eq(steps, steps));
    return generic::clamped(generic::round_half_away(numbers, constants), low, high);
  }
};

}  // namespace

void quantize_static(const float* x, size_t count, float scale, int32_t zero_point, int16_t* y) {
  const generic::RoundingConstants& constants = generic::loaded(generic::kRoundingConstants);
  const Quantizer quantize = {scale, static_cast<float>(-zero_point), static_cast<float>(255 - zero_point)};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const v128_t low = quantize(wasm_v128_load(x + i), constants);
    const v128_t high = quantize(wasm_v128_load(x + i + 4), constants);
    wasm_v128_store(y + i, generic::narrowed(low, high, constants));
  }
  for (size_t some; i < count; i += some) {
    some = count - i < 4 ? count - i : 4;
    const v128_t four = quantize(generic::load_some(x + i, some, 0), constants);
    generic::store_eight(y + i, some, generic::narrowed(four, four, constants));
  }
}

}  // namespace quintet::simd128
