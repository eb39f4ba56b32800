#pragma once
// The number of blocks of each precision in ADAPTIVE data of a given size. The size is announced before the values are
// known, so it must be met exactly by any values.
//
// With blocks of 8u values, a multiple of eight, a block in INT4 takes 4u bytes and its scale, INT5 u bytes more, INT8
// 4u more, FP16 12u more minus the scale. The rest for INT5 and INT8 after the FP16 blocks is thus a number E of units
// of u bytes, spent on n5 + 4 * n8 = E. This has a solution for every E that the blocks can take, except for three just
// below the maximum (all INT8 except for one or two). FP16 blocks come in numbers for which u divides the rest. A
// tensor with a single block has the size of its one code and may have any block size.

#include <optional>

#include "tensor/codecs/amb.h"

namespace quintet {

struct CodeCounts {
  uint64_t int5 = 0;
  uint64_t int8 = 0;
  uint64_t fp16 = 0;  // all others are INT4

  bool operator==(const CodeCounts&) const = default;
};

class AdaptiveBudget {
 public:
  // Nothing if sizes do not fit 64 bits, or if several blocks are not a multiple of eight values.
  static std::optional<AdaptiveBudget> of(const Quantization& quantization, uint64_t elements);

  // The size for `bits` per value, as in adaptive_bytes(): a multiple of u bytes up to all INT8, beyond that whole
  // blocks in FP16.
  uint64_t data_bytes(double bits) const;

  // The counts that take exactly `data_bytes` with at least `least_fp16` FP16 blocks, and are as close to the wanted
  // ones as possible: FP16 first, then INT8; INT5 is the rest. Nothing if there are none.
  std::optional<CodeCounts> counts(uint64_t data_bytes, const CodeCounts& wanted, uint64_t min_fp16) const;

  // The cost of such counts beyond all INT4.
  uint64_t cost(const CodeCounts& counts) const {
    return counts.int5 * int5_ + counts.int8 * int8_ + counts.fp16 * fp16_;
  }

  const BlockGrid& grid() const { return grid_; }
  uint64_t codes_bytes() const { return grid_.blocks / 4 + (grid_.blocks % 4 != 0); }
  uint64_t min() const { return min_; }

  // Bytes of a block beyond INT4.
  uint64_t int5_cost() const { return int5_; }
  uint64_t int8_cost() const { return int8_; }
  uint64_t fp16_cost() const { return fp16_; }

 private:
  AdaptiveBudget() = default;
  std::optional<CodeCounts> counts_with(uint64_t extra, uint64_t fp16, uint64_t wanted_int8) const;
  uint64_t single_block_extra(uint64_t extra) const;

  uint64_t elements_ = 0;
  BlockGrid grid_;
  uint64_t min_ = 0;  // all INT4
  uint64_t max_ = 0;  // all in the largest precision
  uint64_t int5_ = 0;
  uint64_t int8_ = 0;
  uint64_t fp16_ = 0;
};

}  // namespace quintet
