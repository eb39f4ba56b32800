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

void largest_products(const VectorRun& queries, const VectorRun& rows, const float* scales, double* largest) {
  const auto* query = reinterpret_cast<const int8_t*>(queries.data);
  const auto* row = reinterpret_cast<const int8_t*>(rows.data);
  for (size_t q = 0; q < queries.count; ++q) {
    for (size_t i = 0; i < rows.count; ++i) {
      int32_t product;
      score_rows_i8(query + q * queries.bytes, row + i * rows.bytes, 1, rows.bytes, &product);
      largest[q] = std::max(largest[q], double{scales[i]} * product);
    }
  }
}

}  // namespace quintet::scalar
