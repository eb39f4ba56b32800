// The search index's own WebAssembly module. Searching is synchronous in the public API, and this module is small
// enough to be compiled synchronously. It has a memory, three functions and no imports.

#include "kernels/score_rows.h"

#include <emscripten/em_macros.h>

extern "C" {

EMSCRIPTEN_KEEPALIVE void score_rows_f32(const double* query, const float* rows, size_t count, size_t dimension,
                                         double* scores) {
  quintet::simd128::score_rows_f32(query, rows, count, dimension, scores);
}

EMSCRIPTEN_KEEPALIVE void score_rows_i8(const int8_t* query, const int8_t* rows, size_t count, size_t dimension,
                                        int32_t* scores) {
  quintet::simd128::score_rows_i8(query, rows, count, dimension, scores);
}

EMSCRIPTEN_KEEPALIVE void score_rows_binary(const uint8_t* query, const uint8_t* rows, size_t count, size_t bytes,
                                            int32_t* scores) {
  quintet::simd128::score_rows_binary(query, rows, count, bytes, scores);
}

}  // extern "C"
