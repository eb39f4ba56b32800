#include "runtime/embedding/pooling.h"

#include <algorithm>
#include <cmath>

namespace quintet {

void pool(Pooling pooling, const float* tokens, size_t count, size_t skipped, std::span<float> out) {
  const size_t dimension = out.size();
  size_t first = skipped < count ? skipped : 0;
  if (pooling == Pooling::last) first = count - 1;
  if (pooling == Pooling::cls) first = 0;
  std::copy_n(tokens + first * dimension, dimension, out.begin());
  if (pooling == Pooling::cls || pooling == Pooling::last) return;
  for (size_t t = first + 1; t < count; ++t) {
    const float* token = tokens + t * dimension;
    for (size_t i = 0; i < dimension; ++i) {
      out[i] = pooling == Pooling::max ? std::max(out[i], token[i]) : out[i] + token[i];
    }
  }
  if (pooling == Pooling::mean) {
    for (float& value : out) value /= static_cast<float>(count - first);
  }
}

void l2_normalize(std::span<float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  if (squares == 0) return;
  const double length = std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(value / length);
}

}  // namespace quintet
