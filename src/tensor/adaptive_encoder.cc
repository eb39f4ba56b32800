#include "tensor/adaptive_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tensor/adaptive_budget.h"
#include "tensor/block_encoder.h"
#include "tensor/symmetric.h"

namespace quintet {
namespace {

constexpr float kBeyondHalf = 65520;  // from here on a half is infinite

// What the next bytes gain when a block goes up to a precision: the root of the squared error that it loses per byte,
// as a rank among all such steps. A step gains no more than the one before it, so that steps are taken in order.
struct BlockGains {
  float int5 = 0;
  float int8 = 0;
  float fp16 = 0;
};

using Gain = float BlockGains::*;

// Non-negative floats are in the order of their bits; a limit above all of them takes no step.
using Rank = uint32_t;
constexpr Rank kAboveAll = std::bit_cast<Rank>(std::numeric_limits<float>::infinity()) + 1;
Rank rank_of(float gain) { return std::bit_cast<Rank>(gain); }

double squared_error(std::span<const float> values, BlockCode code, float scale) {
  const float limit = limit_of(code);
  // Four sums side by side: one alone would wait for itself.
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
    const std::optional<CodeCounts> counts = budget_.counts(data_bytes_, wanted(gains), not_finite(gains));
    if (!counts) {
      return input_error(Reason::out_of_range,
                         "values that are not finite need FP16 blocks, and the bits do not pay for enough of them");
    }
    std::vector<BlockCode> codes(gains.size(), BlockCode::int4);
    upgrade(gains, &BlockGains::fp16, counts->fp16, BlockCode::fp16, codes);
    upgrade(gains, &BlockGains::int8, counts->int8, BlockCode::int8, codes);
    upgrade(gains, &BlockGains::int5, counts->int5, BlockCode::int5, codes);
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
    return symmetric_scale(block, limit_of(code), quantization_.scale_dtype);
  }

  Result<std::vector<BlockGains>> measure(std::span<const float> values) const {
    std::vector<BlockGains> gains(static_cast<size_t>(budget_.grid().blocks));
    for (size_t i = 0; i < gains.size(); ++i) {
      QUINTET_TRY(gains[i], gains_of(block_of(values, i)));
    }
    return gains;
  }

  Result<BlockGains> gains_of(std::span<const float> block) const {
    constexpr float kMost = std::numeric_limits<float>::infinity();
    if (!all_finite(block)) return BlockGains{.int5 = kMost, .int8 = kMost, .fp16 = kMost};
    QUINTET_TRY(const double int4, error_of(block, BlockCode::int4));
    QUINTET_TRY(const double int5, error_of(block, BlockCode::int5));
    QUINTET_TRY(const double int8, error_of(block, BlockCode::int8));
    // FP16's own error is nothing beside the others.
    const double fp16 = largest_magnitude(block) < kBeyondHalf ? 0 : int8;
    BlockGains gains;
    gains.int5 = gain(int4 - int5, budget_.int5_cost(), std::numeric_limits<float>::max());
    gains.int8 = gain(int5 - int8, budget_.int8_cost() - budget_.int5_cost(), gains.int5);
    gains.fp16 = gain(int8 - fp16, budget_.fp16_cost() - budget_.int8_cost(), gains.int8);
    return gains;
  }

  Result<double> error_of(std::span<const float> block, BlockCode code) const {
    QUINTET_TRY(const float scale, scale_of(block, code));
    return squared_error(block, code, scale);
  }

  static float gain(double less_error, uint64_t bytes, float most) {
    if (!(less_error > 0)) return 0;
    return static_cast<float>(std::min<double>(std::sqrt(less_error / static_cast<double>(bytes)), most));
  }

  // Blocks that only FP16 can hold.
  static uint64_t not_finite(std::span<const BlockGains> gains) {
    uint64_t blocks = 0;
    for (const BlockGains& block : gains) blocks += std::isinf(block.fp16);
    return blocks;
  }

  // The counts when all steps that rank at `limit` or above are taken.
  static CodeCounts taken(std::span<const BlockGains> gains, Rank limit) {
    CodeCounts counts;
    for (const BlockGains& block : gains) {
      if (rank_of(block.fp16) >= limit) {
        ++counts.fp16;
      } else if (rank_of(block.int8) >= limit) {
        ++counts.int8;
      } else if (rank_of(block.int5) >= limit) {
        ++counts.int5;
      }
    }
    return counts;
  }

  // The best steps, as many as the budget pays for; it is then spent to the last byte on what comes next.
  CodeCounts wanted(std::span<const BlockGains> gains) const {
    const uint64_t extra = data_bytes_ - budget_.least();
    Rank low = 0;
    for (Rank high = kAboveAll; low < high;) {
      const Rank middle = low + (high - low) / 2;
      if (budget_.cost(taken(gains, middle)) <= extra) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return taken(gains, low);
  }

  // Gives `code` to the `count` blocks that gain most among those in INT4; of equal ones the first.
  static void upgrade(std::span<const BlockGains> gains, Gain gain, uint64_t count, BlockCode code,
                      std::span<BlockCode> codes) {
    const auto above = [&](Rank limit) {
      uint64_t blocks = 0;
      for (size_t i = 0; i < gains.size(); ++i) {
        blocks += codes[i] == BlockCode::int4 && rank_of(gains[i].*gain) >= limit;
      }
      return blocks;
    };
    Rank low = 0;  // the least limit that not more than `count` blocks reach
    for (Rank high = kAboveAll; low < high;) {
      const Rank middle = low + (high - low) / 2;
      if (above(middle) <= count) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    uint64_t equal = count - above(low);  // of those one rank below
    for (size_t i = 0; i < gains.size(); ++i) {
      if (codes[i] != BlockCode::int4) continue;
      const Rank rank = rank_of(gains[i].*gain);
      const bool tied = low != 0 && rank == low - 1 && equal != 0;
      if (rank < low && !tied) continue;
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
        return input_error(Reason::out_of_range, "a value is too large for an FP16 block; fewer bits avoid those");
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
  if (!budget) return unsupported_error("ADAPTIVE is written in blocks of a multiple of 8 values");
  if (!budget->counts(data_bytes, {}, 0)) {
    return input_error(Reason::out_of_range, "no choice of precisions takes " + std::to_string(data_bytes) + " bytes");
  }
  return std::make_unique<AdaptiveEncoder>(quantization, elements, *budget, data_bytes);
}

}  // namespace quintet
