#include <algorithm>

#include "kernels/generic/vector.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

// Transposes four columns of four rows: column i goes to panel + i * kPanelRows.
void transpose_4x4(ConstRows x, float* panel) {
  const v128_t a = wasm_v128_load(x.row(0));
  const v128_t b = wasm_v128_load(x.row(1));
  const v128_t c = wasm_v128_load(x.row(2));
  const v128_t d = wasm_v128_load(x.row(3));
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  const v128_t ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  const v128_t cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  wasm_v128_store(panel, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
  wasm_v128_store(panel + kPanelRows, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  wasm_v128_store(panel + 2 * kPanelRows, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  wasm_v128_store(panel + 3 * kPanelRows, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

[[gnu::noinline]] void pack_whole_panel(const float* x, size_t stride, size_t cols, float* panel) {
  size_t i = 0;
  for (; i + 4 <= cols; i += 4) {
    transpose_4x4({x + i, stride}, panel + i * kPanelRows);
    transpose_4x4({x + 4 * stride + i, stride}, panel + i * kPanelRows + 4);
  }
  for (; i < cols; ++i) {
    for (size_t r = 0; r < kPanelRows; ++r) panel[i * kPanelRows + r] = x[r * stride + i];
  }
}

void pack_part_of_panel(const float* x, size_t stride, size_t rows, size_t cols, float* panel) {
  std::fill_n(panel, cols * kPanelRows, 0.0f);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t i = 0; i < cols; ++i) panel[i * kPanelRows + r] = x[r * stride + i];
  }
}

}  // namespace

void pack_rows(const PackOperands& in) {
  const size_t rows = in.rows, cols = in.cols;
  size_t r = 0;
  for (; r + kPanelRows <= rows; r += kPanelRows) {
    pack_whole_panel(in.x.row(r), in.x.stride, cols, in.panels + r * cols);
  }
  if (r < rows) pack_part_of_panel(in.x.row(r), in.x.stride, rows - r, cols, in.panels + r * cols);
}

void pack_columns(const PackOperands& in) {
  const ConstRows x = in.x;
  const size_t rows = in.rows, cols = in.cols;
  size_t i = 0;
  for (; i + kPanelRows <= cols; i += kPanelRows) {
    float* panel = in.panels + i * rows;
    for (size_t r = 0; r < rows; ++r) {
      wasm_v128_store(panel + r * kPanelRows, wasm_v128_load(x.row(r) + i));
      wasm_v128_store(panel + r * kPanelRows + 4, wasm_v128_load(x.row(r) + i + 4));
    }
  }
  if (i == cols) return;
  float* panel = in.panels + i * rows;
  std::fill_n(panel, rows * kPanelRows, 0.0f);
  for (size_t r = 0; r < rows; ++r) std::copy_n(x.row(r) + i, cols - i, panel + r * kPanelRows);
}

}  // namespace quintet::simd128
