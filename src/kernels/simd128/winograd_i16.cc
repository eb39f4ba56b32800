// Winograd's F(2x2, 3x3) in integers. All sums are modulo 2^32 or 2^16, as in the definition.

#include <algorithm>
#include <array>

#include "kernels/generic/dot_i16.h"
#include "kernels/generic/loops.h"
#include "kernels/generic/static_epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/variants.h"

namespace quintet::simd128 {
namespace {

using generic::repeat;

constexpr size_t kPatch = 4;

// Multiplies by B^T.
[[gnu::always_inline]] inline void transform_input(v128_t& d0, v128_t& d1, v128_t& d2, v128_t& d3) {
  const v128_t sum = wasm_i16x8_add(d1, d2);
  const v128_t difference = wasm_i16x8_sub(d2, d1);
  d0 = wasm_i16x8_sub(d0, d2);
  d3 = wasm_i16x8_sub(d1, d3);
  d1 = sum;
  d2 = difference;
}

// Multiplies by 2G.
[[gnu::always_inline]] inline void transform_weights(v128_t& g0, v128_t& g1, v128_t& g2, v128_t& g3) {
  const v128_t outer = wasm_i16x8_add(g0, g2);
  g3 = wasm_i16x8_add(g2, g2);
  g0 = wasm_i16x8_add(g0, g0);
  g2 = wasm_i16x8_sub(outer, g1);
  g1 = wasm_i16x8_add(outer, g1);
}

// Loads eight channels of a pixel, or two.
template <size_t kChannels>
[[gnu::always_inline]] inline v128_t load(const int16_t* p) {
  return kChannels == 8 ? wasm_v128_load(p) : wasm_v128_load32_zero(p);
}

template <size_t kChannels>
[[gnu::always_inline]] inline void store(int16_t* p, v128_t values) {
  if constexpr (kChannels == 8) {
    wasm_v128_store(p, values);
  } else {
    wasm_v128_store32_lane(p, values, 0);
  }
}

template <size_t kChannels>
[[gnu::always_inline]] inline void transform_patch(const int16_t* patch, const WinogradTiles& tiles, int16_t* v) {
  v128_t d[kPatch][kPatch];
  repeat<kPatch>([&](size_t x) __attribute__((always_inline)) {
    for (size_t y = 0; y < kPatch; ++y) d[y][x] = load<kChannels>(patch + y * tiles.row_stride + x * tiles.channels);
    transform_input(d[0][x], d[1][x], d[2][x], d[3][x]);
  });
  repeat<kPatch>([&](size_t y) __attribute__((always_inline)) {
    transform_input(d[y][0], d[y][1], d[y][2], d[y][3]);
    for (size_t x = 0; x < kPatch; ++x) store<kChannels>(v + (y * kPatch + x) * tiles.channels, d[y][x]);
  });
}

// Taps of eight weights, which are at g in the first pixel of a filter, with distance `of_pixel` in the others.
template <bool kHasZeros>
[[gnu::always_inline]] inline void transform_eight(const int8_t* g, size_t of_pixel, const v128_t (&zeros)[3],
                                                   int16_t* u, size_t of_tap) {
  v128_t taps[kPatch][kPatch];
  repeat<3>([&](size_t x) __attribute__((always_inline)) {
    for (size_t y = 0; y < 3; ++y) {
      taps[y][x] = wasm_i16x8_load8x8(g + (3 * y + x) * of_pixel);
      if constexpr (kHasZeros) taps[y][x] = wasm_i16x8_sub(taps[y][x], zeros[y]);
    }
    transform_weights(taps[0][x], taps[1][x], taps[2][x], taps[3][x]);
  });
  repeat<kPatch>([&](size_t y) __attribute__((always_inline)) {
    transform_weights(taps[y][0], taps[y][1], taps[y][2], taps[y][3]);
    for (size_t x = 0; x < kPatch; ++x) wasm_v128_store(u + (y * kPatch + x) * of_tap, taps[y][x]);
  });
}

// Transforms a panel. The zero points are those of outputs 0 to 3 and 4 to 7, in each row of the filter.
template <bool kHasZeros>
void transform_panel(const int8_t* panel, size_t channels, const v128_t (&zeros)[2][3], int16_t* u) {
  const size_t of_pixel = channels * kPanelRows;
  const size_t of_tap = static_tap_values(channels);
  for (size_t i = 0; i < of_pixel; i += generic::kPanelPair) {
    transform_eight<kHasZeros>(panel + i, of_pixel, zeros[0], u + i, of_tap);
    transform_eight<kHasZeros>(panel + i + 8, of_pixel, zeros[1], u + i + 8, of_tap);
  }
}

// The sums over all channels, [taps][tiles][kPanelRows].
using Products = int32_t[kWinogradTaps][generic::kDotRows][kPanelRows];

// Computes the products of kRows tiles and a panel. In v, the values of a tap are followed by those of the next.
template <size_t kRows>
void multiply_tiles(const int16_t* v, const int16_t* u, size_t channels, Products& products) {
  const size_t padding = static_tap_values(channels) - channels * kPanelRows;
  const int16_t* x[kRows];
  for (size_t r = 0; r < kRows; ++r) x[r] = v + r * kWinogradTaps * channels;
  for (auto& of_tap : products) {
    generic::DotSums<kRows> sums;
    generic::clear<kRows>(sums);
    generic::add_dots<kRows>(x, u, channels / 2, sums);
    u += padding;
    generic::store_sums<kRows>(sums, of_tap);
  }
}

// The functions are in a table for the same reason as those of generic/tiles.h.
constexpr std::array kTiles = {multiply_tiles<1>, multiply_tiles<2>, multiply_tiles<3>, multiply_tiles<4>};
static_assert(kTiles.size() == generic::kDotRows);

// Multiplies by A^T.
[[gnu::always_inline]] inline void transform_output(v128_t m0, v128_t m1, v128_t m2, v128_t m3, v128_t& y0,
                                                    v128_t& y1) {
  y0 = wasm_i32x4_add(m0, wasm_i32x4_add(m1, m2));
  y1 = wasm_i32x4_sub(m1, wasm_i32x4_add(m2, m3));
}

// The four outputs of a tile, row by row, from its products of each tap.
void transform_products(const Products& products, size_t tile, int32_t (*to)[kPanelRows]) {
  for (size_t lane = 0; lane < kPanelRows; lane += 4) {
    v128_t columns[2][kPatch];
    repeat<kPatch>([&](size_t x) __attribute__((always_inline)) {
      v128_t m[kPatch];
      for (size_t y = 0; y < kPatch; ++y) m[y] = wasm_v128_load(products[y * kPatch + x][tile] + lane);
      transform_output(m[0], m[1], m[2], m[3], columns[0][x], columns[1][x]);
    });
    repeat<2>([&](size_t y) __attribute__((always_inline)) {
      v128_t sums[2];
      transform_output(columns[y][0], columns[y][1], columns[y][2], columns[y][3], sums[0], sums[1]);
      for (size_t x = 0; x < 2; ++x) wasm_v128_store(to[2 * y + x] + lane, wasm_i32x4_shr(sums[x], 2));
    });
  }
}

struct Output {
  int16_t* values;
  const OutputGrid& grid;
  const generic::Requantization& requantization;

  // Stores those of the four sums of a tile that are inside the map.
  void store(int32_t (&sums)[4][kPanelRows], size_t tile, size_t channel) const {
    const size_t tiles_in_row = (grid.width + 1) / 2;
    const size_t y = tile / tiles_in_row * 2, x = tile % tiles_in_row * 2;
    const size_t below = grid.row_stride, beside = grid.channels;
    const size_t first = y * below + x * beside;
    const size_t count = std::min(kPanelRows, grid.channels - channel);
    const bool has_below = y + 1 < grid.height;
    if (x + 1 < grid.width) {
      const size_t at[4] = {first, first + beside, first + below, first + below + beside};
      requantization.store(sums, at, has_below ? 4 : 2, channel, count, values);
    } else {
      const size_t at[2] = {first, first + below};
      std::copy_n(sums[2], kPanelRows, sums[1]);
      requantization.store(sums, at, has_below ? 2 : 1, channel, count, values);
    }
  }
};

}  // namespace

void winograd_input_i16(const int16_t* input, const WinogradTiles& tiles, int16_t* v) {
  const size_t channels = tiles.channels;
  for (size_t t = tiles.begin; t < tiles.end; ++t, v += kWinogradTaps * channels) {
    const int16_t* const patch =
        input + t / tiles.tiles_in_row * 2 * tiles.row_stride + t % tiles.tiles_in_row * 2 * channels;
    size_t c = 0;
    for (; c + 8 <= channels; c += 8) transform_patch<8>(patch + c, tiles, v + c);
    for (; c < channels; c += 2) transform_patch<2>(patch + c, tiles, v + c);
  }
}

void winograd_weights_i16(const PairedMatrix& w, size_t channels, size_t begin, size_t end, int16_t* u) {
  for (size_t p = begin; p < end; ++p, u += kWinogradTaps * static_tap_values(channels)) {
    const int16_t* const zero_points = w.zero_points(p);
    v128_t zeros[2][3];
    for (size_t i = 0; i < 6; ++i)
      zeros[i % 2][i / 2] = generic::paired_zeros(zero_points + i / 2 * kPanelRows + i % 2 * 4);
    const bool has_zeros = std::any_of(zero_points, zero_points + 3 * kPanelRows, [](int16_t z) { return z != 0; });
    (has_zeros ? transform_panel<true> : transform_panel<false>)(w.panel(p), channels, zeros, u);
  }
}

void winograd_multiply_i16(const WinogradOperands<int16_t>& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const generic::Requantization requantization(epilogue);
  const Output to = {in.output, in.grid, requantization};
  const size_t channels = in.channels;
  const int16_t* u = in.u;
  const size_t of_tile = kWinogradTaps * channels;
  // One panel after another, so that its weights stay in a near cache for all tiles.
  for (size_t p = tile.panel_begin; p < tile.panel_end; ++p, u += kWinogradTaps * static_tap_values(channels)) {
    for (size_t t = tile.begin, rows; t < tile.end; t += rows) {
      rows = generic::next_rows(tile.end - t, kTiles.size());
      Products products;
      kTiles[rows - 1](in.v + (t - tile.begin) * of_tile, u, channels, products);
      for (size_t r = 0; r < rows; ++r) {
        int32_t sums[4][kPanelRows];
        transform_products(products, r, sums);
        to.store(sums, t + r, p * kPanelRows);
      }
    }
  }
}

}  // namespace quintet::simd128
