#include "tensor/codecs/adaptive_budget.h"

#include <algorithm>

#include "base/checked.h"

namespace quintet {
namespace {

// Whether `units` can be spent on `blocks`: with as many INT8 (4) as possible, which takes the fewest blocks, and INT5
// (1) for the rest.
bool spendable(uint64_t units, uint64_t blocks) { return units / 4 + units % 4 <= blocks; }

}  // namespace

std::optional<AdaptiveBudget> AdaptiveBudget::of(const Quantization& quantization, uint64_t elements) {
  AdaptiveBudget budget;
  budget.elements_ = elements;
  budget.grid_ = block_grid(quantization, elements);
  const auto [blocks, values] = budget.grid_;
  if (blocks > 1 && values % 8 != 0) return std::nullopt;
  if (!checked_mul(values, bits_of(BlockCode::fp16))) return std::nullopt;
  const auto bytes = [&](BlockCode code) { return adaptive_block_bytes(quantization, values, code); };
  const uint64_t int4 = bytes(BlockCode::int4);
  const uint64_t int8 = bytes(BlockCode::int8);
  const uint64_t fp16 = bytes(BlockCode::fp16);
  budget.int5_ = bytes(BlockCode::int5) - int4;
  budget.int8_ = int8 - int4;
  // A single block of up to four values is not smaller in FP16 than in INT8 with its scale, so FP16 is not used.
  budget.fp16_ = fp16 > int8 ? fp16 - int4 : budget.int8_ + 1;
  const std::optional<uint64_t> max = checked_mul(blocks, std::max(fp16, int8));
  const std::optional<uint64_t> with_codes = max ? checked_add(*max, budget.codes_bytes()) : std::nullopt;
  if (!with_codes) return std::nullopt;
  budget.max_ = *with_codes;
  budget.min_ = budget.codes_bytes() + blocks * int4;
  return budget;
}

uint64_t AdaptiveBudget::data_bytes(double bits) const {
  const double paid = bits * static_cast<double>(elements_) / 8;
  if (!(paid > static_cast<double>(min_))) return min_;
  if (paid >= static_cast<double>(max_)) return max_;
  const uint64_t extra = static_cast<uint64_t>(paid) - min_;
  if (grid_.blocks == 1) return min_ + single_block_extra(extra);
  // Beyond the size of all blocks in INT8, there are whole steps to FP16.
  const uint64_t all_int8 = grid_.blocks * int8_;
  const uint64_t step = fp16_ - int8_;
  if (extra >= all_int8) return min_ + all_int8 + (extra - all_int8) / step * step;
  uint64_t units = extra / int5_;
  while (!spendable(units, grid_.blocks)) --units;
  return min_ + units * int5_;
}

uint64_t AdaptiveBudget::single_block_extra(uint64_t extra) const {
  if (extra >= fp16_) return fp16_;
  if (extra >= int8_) return int8_;
  return extra >= int5_ ? int5_ : 0;
}

std::optional<CodeCounts> AdaptiveBudget::counts(uint64_t data_bytes, const CodeCounts& wanted,
                                                 uint64_t min_fp16) const {
  if (data_bytes < min_ || data_bytes > max_) return std::nullopt;
  const uint64_t extra = data_bytes - min_;
  const uint64_t start = std::max(wanted.fp16, min_fp16);
  for (uint64_t fp16 = start + 1; fp16-- > min_fp16;) {
    if (const auto found = counts_with(extra, fp16, wanted.int8)) return found;
  }
  for (uint64_t fp16 = start + 1; fp16 <= grid_.blocks; ++fp16) {
    if (const auto found = counts_with(extra, fp16, wanted.int8)) return found;
  }
  return std::nullopt;
}

std::optional<CodeCounts> AdaptiveBudget::counts_with(uint64_t extra, uint64_t fp16, uint64_t wanted_int8) const {
  if (fp16 * fp16_ > extra) return std::nullopt;
  const uint64_t blocks = grid_.blocks - fp16;
  const uint64_t rest = extra - fp16 * fp16_;
  if (rest == 0) return CodeCounts{.fp16 = fp16};
  if (grid_.blocks == 1) {
    const CodeCounts one = {.int5 = rest == int5_ && rest != int8_, .int8 = rest == int8_};
    return fp16 == 0 && cost(one) == rest ? std::optional(one) : std::nullopt;
  }
  if (rest % int5_ != 0 || !spendable(rest / int5_, blocks)) return std::nullopt;
  const uint64_t units = rest / int5_;
  const uint64_t min = units > blocks ? (units - blocks + 2) / 3 : 0;  // else INT5 would need more blocks
  const uint64_t int8 = std::clamp(wanted_int8, min, units / 4);
  return CodeCounts{.int5 = units - 4 * int8, .int8 = int8, .fp16 = fp16};
}

std::optional<uint64_t> adaptive_bytes(const Quantization& quantization, uint64_t elements, double bits) {
  const std::optional<AdaptiveBudget> budget = AdaptiveBudget::of(quantization, elements);
  if (!budget) return std::nullopt;
  return budget->data_bytes(bits);
}

}  // namespace quintet
