#include "runtime/embedding/pooling.h"

#include <algorithm>
#include <cmath>

namespace quintet {

void pool(Pooling pooling, const float* tokens, size_t count, std::span<float> out) {
  const size_t dimension = out.size();
  std::copy_n(tokens, dimension, out.begin());
  if (pooling == Pooling::cls) return;
  for (size_t t = 1; t < count; ++t) {
    const float* token = tokens + t * dimension;
    for (size_t i = 0; i < dimension; ++i) {
      out[i] = pooling == Pooling::max ? std::max(out[i], token[i]) : out[i] + token[i];
    }
  }
  if (pooling == Pooling::mean) {
    for (float& value : out) value /= static_cast<float>(count);
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
