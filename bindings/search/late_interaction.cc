// The kernels of an index whose entries have a vector for each of their tokens: a separate module, which only such an
// index loads. It has a memory, three functions and no imports. One module is compiled for SIMD128 and one for relaxed
// SIMD (QUINTET_VARIANT).

#include "kernels/late_interaction.h"

#include <emscripten/em_macros.h>

extern "C" {

EMSCRIPTEN_KEEPALIVE void nearest_signs(const uint8_t* queries, size_t query_count, const uint8_t* rows, size_t count,
                                        size_t bytes, int32_t* nearest) {
  quintet::simd128::nearest_signs({queries, query_count, bytes}, {rows, count, bytes}, nearest);
}

EMSCRIPTEN_KEEPALIVE void prepare_queries(const uint8_t* queries, size_t query_count, size_t bytes, int32_t* prepared) {
  quintet::QUINTET_VARIANT::prepare_queries({queries, query_count, bytes}, prepared);
}

EMSCRIPTEN_KEEPALIVE void largest_products(const int32_t* prepared, size_t query_count, const uint8_t* rows,
                                           const float* scales, size_t count, size_t bytes, void* tile,
                                           double* largest) {
  quintet::QUINTET_VARIANT::largest_products({prepared, query_count}, {rows, count, bytes}, scales, tile, largest);
}

}  // extern "C"
