#include "kernels/late_interaction.h"

#include <algorithm>

#include "kernels/score_rows.h"

namespace quintet::scalar {

void nearest_signs(const VectorRun& queries, const VectorRun& rows, int32_t* nearest) {
  for (size_t q = 0; q < queries.count; ++q) {
    for (size_t i = 0; i < rows.count; ++i) {
      int32_t distance;
      score_rows_binary(queries.data + q * queries.bytes, rows.data + i * rows.bytes, 1, rows.bytes, &distance);
      nearest[q] = std::min(nearest[q], distance);
    }
  }
}

void largest_products(const WideQueries& queries, const VectorRun& rows, const float* scales, double* largest) {
  const auto* row = reinterpret_cast<const int8_t*>(rows.data);
  for (size_t q = 0; q < queries.count; ++q) {
    for (size_t i = 0; i < rows.count; ++i) {
      int32_t product = 0;
      for (size_t j = 0; j < rows.bytes; ++j) product += queries.data[q * rows.bytes + j] * row[i * rows.bytes + j];
      largest[q] = std::max(largest[q], double{scales[i]} * product);
    }
  }
}

}  // namespace quintet::scalar
