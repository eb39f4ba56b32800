#include "models/vision/average_pool.h"

#include <algorithm>

#include "models/vision/plan.h"

namespace quintet::vision {
namespace {

// The pixels of a row or column that a window covers.
struct Covered {
  Covered(size_t output, const Window& window, size_t length) {
    const size_t before = zeros_of(window, length).before, start = output * window.stride;
    begin = start - std::min(start, before);
    end = std::min(start + window.kernel - before, length);
  }

  size_t begin, end;
};

}  // namespace

void average_pool(const FeatureMap<float>& x, const Window& window, FeatureMap<float>& y) {
  for (size_t p = 0; p < y.positions(); ++p) {
    const Covered rows(p / y.width, window, x.height), columns(p % y.width, window, x.width);
    float* const to = y.pixel(p);
    std::fill_n(to, y.channels, 0.0F);
    for (size_t row = rows.begin; row < rows.end; ++row) {
      for (size_t column = columns.begin; column < columns.end; ++column) {
        const float* const from = x.pixel(row * x.width + column);
        for (size_t c = 0; c < y.channels; ++c) to[c] += from[c];
      }
    }
    const auto count = static_cast<float>((rows.end - rows.begin) * (columns.end - columns.begin));
    for (size_t c = 0; c < y.channels; ++c) to[c] /= count;
  }
}

}  // namespace quintet::vision
