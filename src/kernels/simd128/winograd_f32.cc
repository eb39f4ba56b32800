#include "kernels/winograd_f32.h"

#include <algorithm>

#include "kernels/variants.h"
#include "kernels/wasm_simd.h"

namespace quintet::simd128 {
namespace {

// The matrices B^T and G of F(2x2, 3x3) (Lavin and Gray 2015), applied to a row or column.

[[gnu::always_inline]] inline void transform_input(const v128_t (&d)[4], v128_t (&v)[4]) {
  v[0] = wasm_f32x4_sub(d[0], d[2]);
  v[1] = wasm_f32x4_add(d[1], d[2]);
  v[2] = wasm_f32x4_sub(d[2], d[1]);
  v[3] = wasm_f32x4_sub(d[1], d[3]);
}

[[gnu::always_inline]] inline void transform_weights(v128_t g0, v128_t g1, v128_t g2, v128_t (&u)[4]) {
  const v128_t half = wasm_f32x4_splat(0.5f);
  const v128_t outer = wasm_f32x4_add(g0, g2);
  u[0] = g0;
  u[1] = wasm_f32x4_mul(wasm_f32x4_add(outer, g1), half);
  u[2] = wasm_f32x4_mul(wasm_f32x4_sub(outer, g1), half);
  u[3] = g2;
}

// Computes a row of B^T d B from two rows of the patch. All four rows at once would not fit the registers nor, if the
// number of channels is a power of two, the first-level cache.
template <class Combine>
[[gnu::always_inline]] inline void transform_rows(const float* a, const float* b, size_t channels, float* v,
                                                  Combine combine) {
  for (size_t c = 0; c < channels; c += 4, a += 4, b += 4, v += 4) {
    v128_t d[4], row[4];
    for (size_t i = 0; i < 4; ++i) d[i] = combine(wasm_v128_load(a + i * channels), wasm_v128_load(b + i * channels));
    transform_input(d, row);
    for (size_t i = 0; i < 4; ++i) wasm_v128_store(v + i * channels, row[i]);
  }
}

[[gnu::noinline]] void transform_patch(const float* patch, size_t row_stride, size_t channels, float* v) {
  const auto add = [](v128_t a, v128_t b) { return wasm_f32x4_add(a, b); };
  const auto subtract = [](v128_t a, v128_t b) { return wasm_f32x4_sub(a, b); };
  const float* const rows[4] = {patch, patch + row_stride, patch + 2 * row_stride, patch + 3 * row_stride};
  transform_rows(rows[0], rows[2], channels, v, subtract);
  transform_rows(rows[1], rows[2], channels, v + 4 * channels, add);
  transform_rows(rows[2], rows[1], channels, v + 8 * channels, subtract);
  transform_rows(rows[1], rows[3], channels, v + 12 * channels, subtract);
}

// The number of lanes of a panel at once. The values of a window are thousands of bytes apart, often a power of two,
// where only few fit the first-level cache; long runs of three or four at a time do.
constexpr size_t kMaxLanes = 128;

// g [9][lanes] and u [kWinogradTaps][lanes], of which `count` lanes are transformed.
[[gnu::noinline]] void transform_lanes(const float* g, size_t lanes, size_t count, float* u) {
  alignas(16) float rows[3][4][kMaxLanes];
  for (size_t y = 0; y < 3; ++y, g += 3 * lanes) {
    for (size_t i = 0; i < count; i += 4) {
      v128_t row[4];
      transform_weights(wasm_v128_load(g + i), wasm_v128_load(g + lanes + i), wasm_v128_load(g + 2 * lanes + i), row);
      for (size_t x = 0; x < 4; ++x) wasm_v128_store(&rows[y][x][i], row[x]);
    }
  }
  for (size_t x = 0; x < 4; ++x, u += lanes) {
    for (size_t i = 0; i < count; i += 4) {
      v128_t column[4];
      transform_weights(wasm_v128_load(&rows[0][x][i]), wasm_v128_load(&rows[1][x][i]), wasm_v128_load(&rows[2][x][i]),
                        column);
      for (size_t y = 0; y < 4; ++y) wasm_v128_store(u + 4 * y * lanes + i, column[y]);
    }
  }
}

}  // namespace

void winograd_input_f32(const float* input, const WinogradTiles& tiles, float* v) {
  const size_t channels = tiles.channels;
  for (size_t t = tiles.begin; t < tiles.end; ++t, v += kWinogradTaps * channels) {
    const size_t offset = 2 * (t / tiles.tiles_in_row * tiles.row_stride + t % tiles.tiles_in_row * channels);
    transform_patch(input + offset, tiles.row_stride, channels, v);
  }
}

void winograd_weights_f32(const PackedMatrix& w, size_t channels, size_t begin, size_t end, float* u) {
  const size_t lanes = channels * kPanelRows;
  for (size_t panel = begin; panel < end; ++panel, u += kWinogradTaps * lanes) {
    for (size_t lane = 0; lane < lanes; lane += kMaxLanes) {
      transform_lanes(w.panel_f32(panel) + lane, lanes, std::min(kMaxLanes, lanes - lane), u + lane);
    }
  }
}

}  // namespace quintet::simd128
