#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

// The matrices B^T, G and A^T of F(2x2, 3x3) (Lavin and Gray 2015), applied to a row or column whose values have
// distance `stride`.

void transform_input(float* d, size_t stride) {
  const float d0 = d[0], d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride];
  d[0] = d0 - d2;
  d[stride] = d1 + d2;
  d[2 * stride] = d2 - d1;
  d[3 * stride] = d1 - d3;
}

void transform_weights(const float* g, size_t g_stride, float* u, size_t stride) {
  const float outer = g[0] + g[2 * g_stride];
  u[0] = g[0];
  u[stride] = (outer + g[g_stride]) * 0.5f;
  u[2 * stride] = (outer - g[g_stride]) * 0.5f;
  u[3 * stride] = g[2 * g_stride];
}

void transform_sums(const float* m, size_t m_stride, float* y, size_t stride) {
  y[0] = m[0] + m[m_stride] + m[2 * m_stride];
  y[stride] = m[m_stride] - m[2 * m_stride] - m[3 * m_stride];
}

void sum_products(const float* v, const float* u, size_t channels, float (&m)[kWinogradTaps]) {
  for (size_t tap = 0; tap < kWinogradTaps; ++tap) {
    m[tap] = 0;
    for (size_t c = 0; c < channels; ++c) m[tap] += v[tap * channels + c] * u[(tap * channels + c) * kPanelRows];
  }
}

}  // namespace

void winograd_input_f32(const float* input, const WinogradTiles& tiles, float* v) {
  for (size_t t = tiles.begin; t < tiles.end; ++t, v += kWinogradTaps * tiles.channels) {
    const float* const patch =
        input + 2 * (t / tiles.tiles_in_row * tiles.row_stride + t % tiles.tiles_in_row * tiles.channels);
    for (size_t c = 0; c < tiles.channels; ++c) {
      float d[kWinogradTaps];
      for (size_t i = 0; i < kWinogradTaps; ++i) d[i] = patch[i / 4 * tiles.row_stride + i % 4 * tiles.channels + c];
      for (size_t column = 0; column < 4; ++column) transform_input(d + column, 4);
      for (size_t row = 0; row < 4; ++row) transform_input(d + row * 4, 1);
      for (size_t i = 0; i < kWinogradTaps; ++i) v[i * tiles.channels + c] = d[i];
    }
  }
}

void winograd_weights_f32(const PackedMatrix& w, size_t channels, size_t begin, size_t end, float* u) {
  const size_t lanes = channels * kPanelRows;  // one value of a window for each
  for (size_t panel = begin; panel < end; ++panel, u += kWinogradTaps * lanes) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      const float* const g = w.panel_f32(panel) + lane;
      float rows[12];
      for (size_t row = 0; row < 3; ++row) transform_weights(g + row * 3 * lanes, lanes, rows + row * 4, 1);
      for (size_t column = 0; column < 4; ++column) {
        transform_weights(rows + column, 4, u + column * lanes + lane, 4 * lanes);
      }
    }
  }
}

void winograd_multiply_f32(const WinogradOperands<float>& in, const FloatEpilogue& epilogue, const ConvTile& tile) {
  const OutputGrid& grid = in.grid;
  const size_t channels = in.channels;
  const float* v = in.v;
  const size_t tiles_in_row = (grid.width + 1) / 2;
  for (size_t t = tile.begin; t < tile.end; ++t, v += kWinogradTaps * channels) {
    const size_t y = t / tiles_in_row * 2, x = t % tiles_in_row * 2;
    for (size_t n = tile.panel_begin * kPanelRows; n < std::min(tile.panel_end * kPanelRows, grid.channels); ++n) {
      const size_t panel = n / kPanelRows - tile.panel_begin;
      float m[kWinogradTaps], rows[8], sums[4];
      sum_products(v, in.u + panel * kWinogradTaps * channels * kPanelRows + n % kPanelRows, channels, m);
      for (size_t row = 0; row < 4; ++row) transform_sums(m + row * 4, 1, rows + row * 2, 1);
      for (size_t column = 0; column < 2; ++column) transform_sums(rows + column, 2, sums + column, 2);
      for (size_t i = 0; i < 4; ++i) {
        if (y + i / 2 >= grid.height || x + i % 2 >= grid.width) continue;
        const size_t offset = (y + i / 2) * grid.row_stride + (x + i % 2) * grid.channels + n;
        in.output[offset] = finish(sums[i], epilogue, offset, n);
      }
    }
  }
}

}  // namespace quintet::scalar
