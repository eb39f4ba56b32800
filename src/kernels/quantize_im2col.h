#pragma once
// Quantization of windows in groups, for convolve_group_quantized (docs/formats/tinyruntime.md, "Values").

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/convolution.h"
#include "tensor/packed/paired_matrix.h"
#include "tensor/quantize.h"

namespace quintet {

// The division of windows into groups: in the order of PyTorch's im2col, [channels][rows][columns].
struct Im2colGroups {
  size_t channels;
  size_t group;  // values of a group; divides the window
  bool asymmetric;
};

struct QuantizeIm2colOperands {
  const float* input;  // the start of the first window
  const Im2colView& view;
  const Im2colGroups& groups;
  size_t begin, end;
  int16_t* q;     // [end - begin][groups][group, padded with zeros to whole pairs]
  float* scales;  // [end - begin][groups]
};

// Quantizes windows [begin, end): q = quantized value - zero point. Float steps are float32 with true divisions, as in
// the reference.
using QuantizeIm2col = void(const QuantizeIm2colOperands& operands);

// The float steps, which are the same in every variant.

// Added to a magnitude before its fraction is cut off, rounds half away from zero. 0.5 itself would round up the number
// just below 0.5, because the sum is rounded too.
constexpr float kBelowHalf = 0x1.fffffep-2f;

inline float round_half_away(float x) { return std::trunc(x + std::copysign(kBelowHalf, x)); }

// value = q * scale, q = clamp(round_half_away(x / scale), least, most): the zero point is already subtracted.
struct GroupScale {
  float scale;
  int32_t min, max;
};

// A group that is not finite makes all its results NaN, but its integers must still be valid operands.
constexpr GroupScale kNotFinite = {std::numeric_limits<float>::quiet_NaN(), 0, 0};

// `max_abs` is that of the group; NaN or infinity if the group contains either.
inline GroupScale symmetric_group_scale(float max_abs) {
  if (!std::isfinite(max_abs)) return kNotFinite;
  const float scale = max_abs / 127;
  return scale == 0 ? GroupScale{0, 0, 0} : GroupScale{scale, -127, 127};
}

// If a group is so narrow and so far from 0 that its integers would not fit 16 bits, the scale is increased as much as
// necessary.
inline GroupScale asymmetric_group_scale(float min, float max, float max_abs) {
  constexpr float kFarthest = kMaxZeroPoint - 128;  // steps from 0 to the group
  if (!std::isfinite(max_abs)) return kNotFinite;
  float scale = (max - min) / 255;
  if (scale == 0) scale = kConstantScale;
  scale = std::max({scale, max_abs / kFarthest, std::numeric_limits<float>::min()});
  const int32_t zero_point = static_cast<int32_t>(round_half_away(-128 - min / scale));
  return {scale, -128 - zero_point, 127 - zero_point};
}

}  // namespace quintet
