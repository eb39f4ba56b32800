#include "kernels/scalar/epilogue.h"
#include "kernels/variants.h"

namespace quintet::scalar {
namespace {

constexpr size_t kPatch = 4;  // pixels of a patch, and taps, in each direction

// Multiplies four values with distance `step` by B^T.
void transform_input(int32_t* d, size_t step) {
  const int32_t d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step];
  d[0] = d0 - d2;
  d[step] = d1 + d2;
  d[2 * step] = d2 - d1;
  d[3 * step] = d1 - d3;
}

// Multiplies by 2G, which makes four values of three.
void transform_weights(int32_t* g, size_t step) {
  const int32_t g0 = g[0], g1 = g[step], g2 = g[2 * step];
  g[0] = 2 * g0;
  g[step] = g0 + g1 + g2;
  g[2 * step] = g0 - g1 + g2;
  g[3 * step] = 2 * g2;
}

// Multiplies by A^T, which makes two values of four.
void transform_output(uint32_t* m, size_t step) {
  const uint32_t m0 = m[0], m1 = m[step], m2 = m[2 * step], m3 = m[3 * step];
  m[0] = m0 + m1 + m2;
  m[step] = m1 - m2 - m3;
}

// Transforms all columns, then all rows.
template <class T>
void in_both_directions(void (*transform)(T*, size_t), T (&taps)[kWinogradTaps], size_t columns) {
  for (size_t x = 0; x < columns; ++x) transform(taps + x, kPatch);
  for (size_t y = 0; y < kPatch; ++y) transform(taps + y * kPatch, 1);
}

// The sum is modulo 2^32, like all sums here.
uint32_t dot_of_tap(const int16_t* v, const int16_t* u, size_t channels) {
  uint32_t sum = 0;
  for (size_t c = 0; c < channels; ++c) sum += static_cast<uint32_t>(v[c] * u[c / 2 * 2 * kPanelRows + c % 2]);
  return sum;
}

}  // namespace

void winograd_input_i16(const int16_t* input, const WinogradTiles& tiles, int16_t* v) {
  for (size_t t = tiles.begin; t < tiles.end; ++t) {
    const size_t y = t / tiles.tiles_in_row * 2, x = t % tiles.tiles_in_row * 2;
    for (size_t c = 0; c < tiles.channels; ++c) {
      int32_t d[kWinogradTaps];
      for (size_t i = 0; i < kWinogradTaps; ++i)
        d[i] = input[(y + i / kPatch) * tiles.row_stride + (x + i % kPatch) * tiles.channels + c];
      in_both_directions(transform_input, d, kPatch);
      for (size_t i = 0; i < kWinogradTaps; ++i)
        v[((t - tiles.begin) * kWinogradTaps + i) * tiles.channels + c] = static_cast<int16_t>(d[i]);
    }
  }
}

void winograd_weights_i16(const PairedMatrix& w, size_t channels, size_t begin, size_t end, int16_t* u) {
  const size_t of_tap = channels * kPanelRows;
  for (size_t p = begin; p < end; ++p, u += kWinogradTaps * static_tap_values(channels)) {
    for (size_t i = 0; i < of_tap; ++i) {
      const size_t lane = i % (2 * kPanelRows) / 2;
      int32_t g[kWinogradTaps];
      for (size_t y = 0; y < 3; ++y) {
        for (size_t x = 0; x < 3; ++x)
          g[y * kPatch + x] = w.panel(p)[(y * 3 + x) * of_tap + i] - w.zero_points(p)[y * kPanelRows + lane];
      }
      in_both_directions(transform_weights, g, 3);
      for (size_t tap = 0; tap < kWinogradTaps; ++tap)
        u[tap * static_tap_values(channels) + i] = static_cast<int16_t>(g[tap]);
    }
  }
}

void winograd_multiply_i16(const WinogradOperands<int16_t>& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  const OutputGrid& grid = in.grid;
  const size_t channels = in.channels;
  const size_t tiles_in_row = (grid.width + 1) / 2;
  const size_t channel_end = std::min(tile.panel_end * kPanelRows, grid.channels);
  for (size_t t = tile.begin; t < tile.end; ++t) {
    const size_t y = t / tiles_in_row * 2, x = t % tiles_in_row * 2;
    for (size_t channel = tile.panel_begin * kPanelRows; channel < channel_end; ++channel) {
      const size_t panel = channel / kPanelRows - tile.panel_begin;
      uint32_t m[kWinogradTaps];
      for (size_t i = 0; i < kWinogradTaps; ++i) {
        m[i] = dot_of_tap(in.v + ((t - tile.begin) * kWinogradTaps + i) * channels,
                          in.u + (panel * kWinogradTaps + i) * static_tap_values(channels) + channel % kPanelRows * 2,
                          channels);
      }
      in_both_directions(transform_output, m, kPatch);
      for (size_t i = 0; i < 4; ++i) {
        const size_t row = y + i / 2, column = x + i % 2;
        if (row >= grid.height || column >= grid.width) continue;
        const int32_t sum = static_cast<int32_t>(m[i / 2 * kPatch + i % 2]) >> 2;
        const size_t at = row * grid.row_stride + column * grid.channels + channel;
        in.output[at] = requantize(static_cast<uint32_t>(sum), epilogue, channel, at);
      }
    }
  }
}

}  // namespace quintet::scalar
