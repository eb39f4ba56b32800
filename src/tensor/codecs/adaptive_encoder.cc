#include "tensor/codecs/amb.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tensor/codecs/adaptive_budget.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/finite.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

constexpr float kBeyondHalf = 65520;  // from here on, a half is infinite

// The gain of a block when it changes to INT5, INT8 and FP16: the square root of the squared error that it saves per
// byte, as a rank among all such steps. No step gains more than the one before it, so that steps are taken in order.
using BlockGains = std::array<float, kBlockCodes - 1>;

float gain_to(const BlockGains& gains, BlockCode code) { return gains[static_cast<size_t>(code) - 1]; }

// Non-negative floats have the order of their bits. A limit above all of them selects no step.
using Rank = uint32_t;
constexpr Rank kAboveAll = std::bit_cast<Rank>(std::numeric_limits<float>::infinity()) + 1;
Rank rank_of(float gain) { return std::bit_cast<Rank>(gain); }

// The smallest limit that fits. All larger ones fit too, and kAboveAll always does.
template <class Fits>
Rank min_limit(Fits fits) {
  Rank low = 0;
  for (Rank high = kAboveAll; low < high;) {
    const Rank middle = low + (high - low) / 2;
    if (fits(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double squared_error(std::span<const float> values, BlockCode code, float scale) {
  const float limit = limit_of(code);
  // Four parallel sums: a single one would have to wait for itself.
  std::array<double, 4> sums = {};
  for (size_t i = 0; i < values.size(); ++i) {
    const float q = scale == 0 ? 0 : round_half_even(std::clamp(values[i] / scale, -limit, limit));
    const double error = values[i] - q * scale;
    sums[i % 4] += error * error;
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

bool all_finite(std::span<const float> values) {
  bool finite = true;
  for (const float value : values) finite &= std::isfinite(value);
  return finite;
}

class AdaptiveEncoder final : public BlockEncoder {
 public:
  AdaptiveEncoder(const Quantization& quantization, uint64_t elements, const AdaptiveBudget& budget,
                  uint64_t data_bytes)
      : BlockEncoder(quantization, elements, 0, Accepts::all_values), budget_(budget), data_bytes_(data_bytes) {}

 protected:
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    QUINTET_TRY(const std::vector<BlockGains> gains, measure(values));
    QUINTET_TRY(const std::vector<BlockCode> codes, choose(gains));
    payload.reserve(payload.size() + static_cast<size_t>(data_bytes_));
    append_codes(codes, payload);
    QUINTET_CHECK(append_scales(values, codes, payload));
    return append_values(values, codes, payload);
  }

 private:
  std::span<const float> block_of(std::span<const float> values, size_t block) const {
    const size_t begin = block * static_cast<size_t>(budget_.grid().values);
    return values.subspan(begin, std::min(static_cast<size_t>(budget_.grid().values), values.size() - begin));
  }

  Result<float> scale_of(std::span<const float> block, BlockCode code) const {
    return stored_scale(block, limit_of(code), quantization_.scale_dtype);
  }

  Result<std::vector<BlockGains>> measure(std::span<const float> values) const {
    std::vector<BlockGains> gains(static_cast<size_t>(budget_.grid().blocks));
    for (size_t i = 0; i < gains.size(); ++i) {
      QUINTET_TRY(gains[i], gains_of(block_of(values, i)));
    }
    return gains;
  }

  Result<BlockGains> gains_of(std::span<const float> block) const {
    constexpr float kMax = std::numeric_limits<float>::infinity();
    if (!all_finite(block)) return BlockGains{kMax, kMax, kMax};
    std::array<double, kBlockCodes> errors;
    for (const BlockCode code : {BlockCode::int4, BlockCode::int5, BlockCode::int8}) {
      QUINTET_TRY(const float scale, scale_of(block, code));
      errors[static_cast<size_t>(code)] = squared_error(block, code, scale);
    }
    // The error of FP16 is negligible compared to the others.
    errors[3] = max_abs(block) < kBeyondHalf ? 0 : errors[2];
    return steps_down(errors);
  }

  // Steps lead from each precision to the one that saves the most error per byte: INT5 may help little where INT8 helps
  // a lot, and is then a part of the step to INT8.
  BlockGains steps_down(const std::array<double, kBlockCodes>& errors) const {
    const std::array<uint64_t, kBlockCodes> costs = {0, budget_.int5_cost(), budget_.int8_cost(), budget_.fp16_cost()};
    BlockGains gains = {};
    for (size_t from = 0; from + 1 < errors.size();) {
      size_t best = from + 1;
      double best_slope = 0;
      for (size_t to = from + 1; to < errors.size(); ++to) {
        const double slope = (errors[from] - errors[to]) / static_cast<double>(costs[to] - costs[from]);
        if (slope > best_slope) {
          best_slope = slope;
          best = to;
        }
      }
      const double gain = std::min<double>(std::sqrt(best_slope), std::numeric_limits<float>::max());
      for (; from < best; ++from) gains[from] = static_cast<float>(gain);
    }
    return gains;
  }

  // Blocks that only FP16 can represent.
  static uint64_t not_finite(std::span<const BlockGains> gains) {
    uint64_t blocks = 0;
    for (const BlockGains& block : gains) blocks += std::isinf(gain_to(block, BlockCode::fp16));
    return blocks;
  }

  // The counts when the INT4 blocks take all steps that rank at `limit` or above, those to FP16 only with `halves`.
  static CodeCounts taken(std::span<const BlockGains> gains, std::span<const BlockCode> codes, Rank limit,
                          bool halves) {
    CodeCounts counts;
    for (size_t i = 0; i < gains.size(); ++i) {
      if (codes[i] != BlockCode::int4) continue;
      if (halves && rank_of(gain_to(gains[i], BlockCode::fp16)) >= limit) {
        ++counts.fp16;
      } else if (rank_of(gain_to(gains[i], BlockCode::int8)) >= limit) {
        ++counts.int8;
      } else if (rank_of(gain_to(gains[i], BlockCode::int5)) >= limit) {
        ++counts.int5;
      }
    }
    return counts;
  }

  // The best steps for `bytes`.
  CodeCounts affordable(std::span<const BlockGains> gains, std::span<const BlockCode> codes, uint64_t bytes,
                        bool halves) const {
    const Rank limit = min_limit([&](Rank rank) { return budget_.cost(taken(gains, codes, rank, halves)) <= bytes; });
    return taken(gains, codes, limit, halves);
  }

  // All blocks start in INT4. Those for FP16 are selected among all steps; what they leave of the budget, which may be
  // more than intended, then goes to INT8 and INT5.
  Result<std::vector<BlockCode>> choose(std::span<const BlockGains> gains) const {
    std::vector<BlockCode> codes(gains.size(), BlockCode::int4);
    const uint64_t extra = data_bytes_ - budget_.min();
    CodeCounts wanted = affordable(gains, codes, extra, true);
    const uint64_t min_fp16 = not_finite(gains);
    const auto fp16 = budget_.counts(data_bytes_, wanted, min_fp16);
    if (!fp16) {
      return input_error(Reason::out_of_range,
                         "values that are not finite need FP16 blocks, and the bits do not suffice for enough of them");
    }
    wanted.fp16 = fp16->fp16;
    upgrade(gains, wanted.fp16, BlockCode::fp16, codes);
    wanted.int8 = affordable(gains, codes, extra - budget_.cost({.fp16 = wanted.fp16}), false).int8;
    const auto counts = budget_.counts(data_bytes_, wanted, min_fp16);
    upgrade(gains, counts->int8, BlockCode::int8, codes);
    upgrade(gains, counts->int5, BlockCode::int5, codes);
    return codes;
  }

  // Assigns `code` to the `count` blocks that gain most among those in INT4; of equal ones the first.
  static void upgrade(std::span<const BlockGains> gains, uint64_t count, BlockCode code, std::span<BlockCode> codes) {
    const auto above = [&](Rank limit) {
      uint64_t blocks = 0;
      for (size_t i = 0; i < gains.size(); ++i) {
        blocks += codes[i] == BlockCode::int4 && rank_of(gain_to(gains[i], code)) >= limit;
      }
      return blocks;
    };
    const Rank limit = min_limit([&](Rank rank) { return above(rank) <= count; });
    uint64_t equal = count - above(limit);  // of those one rank lower
    for (size_t i = 0; i < gains.size(); ++i) {
      if (codes[i] != BlockCode::int4) continue;
      const Rank rank = rank_of(gain_to(gains[i], code));
      const bool tied = limit != 0 && rank == limit - 1 && equal != 0;
      if (rank < limit && !tied) continue;
      codes[i] = code;
      equal -= tied;
    }
  }

  static void append_codes(std::span<const BlockCode> codes, std::vector<std::byte>& out) {
    std::byte* bytes = append(out, codes.size() / 4 + (codes.size() % 4 != 0));
    for (size_t i = 0; i < codes.size(); ++i) {
      bytes[i / 4] |= static_cast<std::byte>(static_cast<unsigned>(codes[i]) << i % 4 * 2);
    }
  }

  Status append_scales(std::span<const float> values, std::span<const BlockCode> codes,
                       std::vector<std::byte>& out) const {
    for (size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] == BlockCode::fp16) continue;
      QUINTET_TRY(const float scale, scale_of(block_of(values, i), codes[i]));
      append_scale(quantization_.scale_dtype, scale, out);
    }
    return {};
  }

  Status append_values(std::span<const float> values, std::span<const BlockCode> codes,
                       std::vector<std::byte>& out) const {
    for (size_t i = 0; i < codes.size(); ++i) {
      const std::span<const float> block = block_of(values, i);
      if (codes[i] == BlockCode::fp16) {
        QUINTET_CHECK(append_halves(block, out));
      } else {
        QUINTET_TRY(const float scale, scale_of(block, codes[i]));
        append_quantized(block, codes[i], scale, budget_.grid().values, out);
      }
    }
    return {};
  }

  Status append_halves(std::span<const float> block, std::vector<std::byte>& out) const {
    for (const float value : block) {
      if (std::isfinite(value) && std::fabs(value) >= kBeyondHalf) {
        return input_error(Reason::out_of_range,
                           "a value is too large for an FP16 block; use fewer bits, which avoids these blocks");
      }
    }
    std::byte* bytes = append(out, static_cast<size_t>(budget_.grid().values * 2));
    encode(Dtype::f16, block, {bytes, block.size() * 2});
    return {};
  }

  AdaptiveBudget budget_;
  uint64_t data_bytes_;
};

}  // namespace

Result<std::unique_ptr<PayloadEncoder>> make_adaptive_encoder(const Quantization& quantization, uint64_t elements,
                                                              uint64_t data_bytes) {
  const std::optional<AdaptiveBudget> budget = AdaptiveBudget::of(quantization, elements);
  if (!budget) return unsupported_error("ADAPTIVE needs blocks of a multiple of 8 values");
  if (!budget->counts(data_bytes, {}, 0)) {
    return input_error(Reason::out_of_range, "no choice of precisions needs {} bytes", data_bytes);
  }
  return std::make_unique<AdaptiveEncoder>(quantization, elements, *budget, data_bytes);
}

}  // namespace quintet
