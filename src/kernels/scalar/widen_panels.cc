#include "kernels/variants.h"

namespace quintet::scalar {

void widen_panels(const PairedMatrix& w, size_t begin, size_t end, int16_t* out) {
  for (size_t p = begin; p < end; ++p) {
    const int8_t* values = w.panel(p);
    for (size_t s = 0; s < w.segments(); ++s) {
      for (size_t i = 0; i < w.pairs() * 2 * kPanelRows; ++i) {
        const size_t lane = i % (2 * kPanelRows) / 2;
        const size_t column = i / (2 * kPanelRows) * 2 + i % 2;
        const bool exists = column < w.length() && p * kPanelRows + lane < w.rows();
        *out++ = exists ? static_cast<int16_t>(*values - w.zero_points(p)[s * kPanelRows + lane]) : int16_t{0};
        ++values;
      }
    }
  }
}

}  // namespace quintet::scalar
