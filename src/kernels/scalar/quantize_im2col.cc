#include <cmath>

#include "kernels/quantize_im2col.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// The values of a window in the order of im2col.
struct WindowValues {
  const float* first;
  const Im2colView& view;
  size_t channels;

  float operator[](size_t i) const {
    const size_t columns = view.run / channels;
    const size_t tap = i % (view.rows * columns);
    const size_t channel = i / (view.rows * columns);
    return first[tap / columns * view.row_stride + tap % columns * channels + channel];
  }
};

GroupScale scale_of(const WindowValues& values, size_t begin, const Im2colGroups& groups) {
  float min = values[begin];
  float max = min;
  float max_abs = 0;
  for (size_t i = begin; i < begin + groups.group; ++i) {
    if (!std::isfinite(values[i])) return kNotFinite;
    min = std::min(min, values[i]);
    max = std::max(max, values[i]);
    max_abs = std::max(max_abs, std::fabs(values[i]));
  }
  return groups.asymmetric ? asymmetric_group_scale(min, max, max_abs) : symmetric_group_scale(max_abs);
}

int16_t quantized(float value, const GroupScale& group) {
  if (group.min == group.max) return 0;
  const int32_t q = static_cast<int32_t>(std::round(value / group.scale));
  return static_cast<int16_t>(std::clamp(q, group.min, group.max));
}

}  // namespace

void quantize_im2col(const QuantizeIm2colOperands& in) {
  const Im2colGroups& groups = in.groups;
  const size_t size = in.view.rows * in.view.run;
  int16_t* q = in.q;
  float* scales = in.scales;
  for (size_t window = in.begin; window < in.end; ++window) {
    const WindowValues values = {in.input + in.view.offset(window), in.view, groups.channels};
    for (size_t first = 0; first < size; first += groups.group) {
      const GroupScale group = scale_of(values, first, groups);
      *scales++ = group.scale;
      for (size_t i = 0; i < groups.group; ++i) *q++ = quantized(values[first + i], group);
      if (groups.group % 2 != 0) *q++ = 0;
    }
  }
}

}  // namespace quintet::scalar
