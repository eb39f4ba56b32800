#include "kernels/score_rows.h"

#include <bit>

namespace quintet::scalar {

void score_rows_f32(const double* query, const float* rows, size_t count, size_t dimension, double* scores) {
  for (size_t i = 0; i < count; ++i, rows += dimension) {
    double lanes[4] = {};
    for (size_t j = 0; j < dimension; ++j) lanes[j % 4] += query[j] * double{rows[j]};
    scores[i] = lanes[0] + lanes[1] + lanes[2] + lanes[3];
  }
}

void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension, int32_t* scores) {
  for (size_t i = 0; i < count; ++i, rows += dimension) {
    int32_t sum = 0;
    for (size_t j = 0; j < dimension; ++j) sum += query[j] * rows[j];
    scores[i] = sum;
  }
}

void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes, int32_t* scores) {
  for (size_t i = 0; i < count; ++i, rows += bytes) {
    int32_t differing = 0;
    for (size_t j = 0; j < bytes; ++j) differing += std::popcount(static_cast<uint8_t>(query[j] ^ rows[j]));
    scores[i] = differing;
  }
}

}  // namespace quintet::scalar
