#include "kernels/generic/gemm_adaptive.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

struct Variant {
  using Arithmetic = relaxed::Arithmetic;
  using Block = ByteActivation;
  static constexpr size_t kBand = kBlockBand;

  struct Signed {
    [[gnu::always_inline]] explicit Signed(const v128_t (&bytes)[2]) {
      for (size_t h = 0; h < 2; ++h) {
        words[2 * h] = wasm_i16x8_extend_low_i8x16(bytes[h]);
        words[2 * h + 1] = wasm_i16x8_extend_high_i8x16(bytes[h]);
      }
    }
    [[gnu::always_inline]] v128_t dot(const Block& block) const {
      v128_t sum = wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(block.q), words[0]);
      for (size_t i = 1; i < 4; ++i) {
        sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(block.q + 8 * i), words[i]));
      }
      return sum;
    }

    v128_t words[4];
  };

  // The weights are the 7-bit side of the dot product. Sums of four products fit 16 bits: 4 * 127 * 31 < 2^15.
  template <class Record>
  struct Unsigned {
    [[gnu::always_inline]] explicit Unsigned(const Record& from) : record(from) {}
    [[gnu::always_inline]] v128_t dot(const Block& block) const {
      const v128_t low = wasm_i16x8_relaxed_dot_i8x16_i7x16(wasm_v128_load(block.q), record.bytes[0]);
      const v128_t high = wasm_i16x8_relaxed_dot_i8x16_i7x16(wasm_v128_load(block.q + 16), record.bytes[1]);
      const v128_t offset = wasm_i32x4_shl(wasm_v128_load32_zero(&block.negative_sum), Record::kOffsetBits);
      return wasm_i32x4_add(offset, wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_add(low, high)));
    }

    Record record;
  };
};

}  // namespace

void gemm_adaptive(const GemmAdaptiveOperands& operands, const Epilogue& epilogue, const GemmTile& tile) {
  generic::gemm_adaptive<Variant>(operands, epilogue, tile);
}

}  // namespace quintet::relaxed
