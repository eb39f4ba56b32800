#pragma once
// The values of a record of AdaptiveMatrix as bytes, [0] the first 16 and [1] the last 16, zero beyond the block.

#include "kernels/generic/constants.h"
#include "tensor/packed/adaptive_matrix.h"

namespace quintet::generic {

constexpr size_t kRecordScaleBytes = 4;

inline float record_scale(const std::byte* record) { return *reinterpret_cast<const float*>(record); }

struct NibbleConstants {
  SplatBits low = 0x0f0f0f0f;
  SplatBits sixteen = 0x10101010;
  alignas(16) uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
};
inline constexpr NibbleConstants kNibbleConstants;

// INT4 and INT5 of whole blocks: u, which is q + (1 << kOffsetBits).
struct Int4Record {
  static constexpr uint32_t kOffsetBits = 3;

  [[gnu::always_inline]] explicit Int4Record(const std::byte* record) {
    const NibbleConstants& constants = loaded(kNibbleConstants);
    const v128_t nibbles = wasm_v128_load(record + kRecordScaleBytes);
    bytes[0] = wasm_v128_and(nibbles, constants.low);
    bytes[1] = wasm_v128_and(wasm_u16x8_shr(nibbles, 4), constants.low);
  }

  v128_t bytes[2];
};

struct Int5Record {
  static constexpr uint32_t kOffsetBits = 4;

  [[gnu::always_inline]] explicit Int5Record(const std::byte* record) {
    const Int4Record low(record);
    const v128_t high = wasm_v128_load32_splat(record + kRecordScaleBytes + AdaptiveMatrix::kMaxBlock / 2);
    bytes[0] = wasm_v128_or(low.bytes[0],
                            sixteens(wasm_i8x16_shuffle(high, high, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)));
    bytes[1] = wasm_v128_or(low.bytes[1],
                            sixteens(wasm_i8x16_shuffle(high, high, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)));
  }

  v128_t bytes[2];

 private:
  // 16 where bit i % 8 of byte i is set.
  [[gnu::always_inline]] static v128_t sixteens(v128_t repeated) {
    const NibbleConstants& constants = loaded(kNibbleConstants);
    const v128_t bits = wasm_v128_load(constants.bits);
    return wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(repeated, bits), bits), constants.sixteen);
  }
};

// q of whole blocks.
struct Int8Record {
  [[gnu::always_inline]] explicit Int8Record(const std::byte* record)
      : bytes{wasm_v128_load(record + kRecordScaleBytes), wasm_v128_load(record + kRecordScaleBytes + 16)} {}

  v128_t bytes[2];
};

// q of blocks of any size and code.
struct AnyRecord {
  AnyRecord(BlockCode code, const std::byte* record, size_t block) {
    alignas(16) int8_t values[AdaptiveMatrix::kMaxBlock] = {};
    for (size_t i = 0; i < block; ++i) values[i] = static_cast<int8_t>(adaptive_value(code, record, block, i));
    bytes[0] = wasm_v128_load(values);
    bytes[1] = wasm_v128_load(values + 16);
  }

  v128_t bytes[2];
};

}  // namespace quintet::generic
