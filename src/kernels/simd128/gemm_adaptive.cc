#include "kernels/generic/gemm_adaptive.h"

#include "kernels/simd128/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

struct Variant {
  using Arithmetic = simd128::Arithmetic;
  using Block = WordActivation;
  static constexpr size_t kBand = kBlockBand;

  // 16-bit integers in the order of the activations.
  struct Signed {
    [[gnu::always_inline]] explicit Signed(const v128_t (&bytes)[2]) {
      for (size_t h = 0; h < 2; ++h) {
        const v128_t split =
            wasm_i8x16_shuffle(bytes[h], bytes[h], 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
        words[2 * h] = wasm_i16x8_extend_low_i8x16(split);
        words[2 * h + 1] = wasm_i16x8_extend_high_i8x16(split);
      }
    }
    [[gnu::always_inline]] v128_t dot(const Block& block) const {
      v128_t sum = wasm_i32x4_dot_i16x8(wasm_v128_load(block.q), words[0]);
      for (size_t i = 1; i < 4; ++i) {
        sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_v128_load(block.q + 8 * i), words[i]));
      }
      return sum;
    }

    v128_t words[4];
  };

  template <class Record>
  struct Unsigned : Signed {
    [[gnu::always_inline]] explicit Unsigned(const Record& record)
        : Signed({subtract(record.bytes[0]), subtract(record.bytes[1])}) {}

   private:
    static v128_t subtract(v128_t u) { return wasm_i8x16_sub(u, wasm_i8x16_splat(1 << Record::kOffsetBits)); }
  };
};

}  // namespace

void gemm_adaptive(const GemmAdaptiveOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_adaptive<Variant>(operands, epilogue, tile);
}

}  // namespace quintet::simd128
