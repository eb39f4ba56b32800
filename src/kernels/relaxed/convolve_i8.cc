#include "kernels/convolve_i8.h"

#include "kernels/generic/static_epilogue.h"
#include "kernels/generic/tiles.h"
#include "kernels/relaxed/interleaved_dot.h"
#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"

namespace quintet::relaxed {
namespace {

constexpr size_t kWindowQuad = kInterleavedWindows * kQuad;

// Bytes of activations are unsigned. Where the processor treats them as signed, 128 is subtracted.
int32_t signed_offset() { return relaxed_dot() == RelaxedDot::fused_signed ? 128 : 0; }

// Copies eight values, two quads, per step.
struct WindowCopy {
  v128_t zero_point;    // 16-bit lanes
  v128_t flipped_bits;  // to subtract 128 from bytes

  void run(const int16_t* x, size_t count, uint8_t* q) const {
    for (; count >= kPanelRows; count -= kPanelRows, x += kPanelRows, q += 2 * kWindowQuad) {
      const v128_t quads = bytes(wasm_v128_load(x));
      wasm_v128_store32_lane(q, quads, 0);
      wasm_v128_store32_lane(q + kWindowQuad, quads, 1);
    }
    if (count == 0) return;
    v128_t rest[1];
    generic::load_eight(x, count, rest);
    const v128_t quads = bytes(rest[0]);
    wasm_v128_store32_lane(q, quads, 0);
    if (count > kQuad) wasm_v128_store32_lane(q + kWindowQuad, quads, 1);
  }

 private:
  v128_t bytes(v128_t x) const {
    const v128_t words = wasm_i16x8_add(x, zero_point);
    return wasm_v128_xor(wasm_u8x16_narrow_i16x8(words, words), flipped_bits);
  }
};

// Appends a segment of a panel; sums [2]: of four outputs each.
int8_t* interleave_segment(const int8_t* pairs, size_t count, int8_t* out, v128_t (&sums)[2]) {
  constexpr size_t kPanelPair = 2 * kPanelRows;
  for (size_t i = 0; i < count; i += 2, pairs += 2 * kPanelPair, out += kPanelQuadBytes) {
    const v128_t first = wasm_v128_load(pairs);
    const v128_t second = i + 1 < count ? wasm_v128_load(pairs + kPanelPair) : wasm_i8x16_splat(0);
    const v128_t quads[2] = {wasm_i16x8_shuffle(first, second, 0, 8, 1, 9, 2, 10, 3, 11),
                             wasm_i16x8_shuffle(first, second, 4, 12, 5, 13, 6, 14, 7, 15)};
    for (size_t h = 0; h < 2; ++h) {
      wasm_v128_store(out + 16 * h, quads[h]);
      sums[h] = wasm_i32x4_add(sums[h], wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(quads[h])));
    }
  }
  return out;
}

}  // namespace

void interleave_windows(const InterleaveWindowsOperands& in) {
  const Im2colView& view = in.view;
  uint8_t* q = in.q;
  const size_t row_bytes = (view.run + kQuad - 1) / kQuad * kWindowQuad;
  const WindowCopy copy = {wasm_i16x8_splat(static_cast<int16_t>(in.zero_point)),
                           wasm_i8x16_splat(static_cast<int8_t>(-signed_offset()))};
  for (size_t first = in.begin; first < in.end; first += kInterleavedWindows, q += view.rows * row_bytes) {
    size_t offsets[kInterleavedWindows];
    generic::place(first, view.width, view.step, view.line, offsets);
    const size_t last = std::min(in.end - first, kInterleavedWindows) - 1;
    for (size_t r = 0; r < kInterleavedWindows; ++r) {
      const int16_t* const window = in.input + offsets[std::min(r, last)];
      for (size_t row = 0; row < view.rows; ++row) {
        copy.run(window + row * view.row_stride, view.run, q + row * row_bytes + r * kQuad);
      }
    }
  }
}

void interleave_panels(const PairedMatrix& w, size_t begin, size_t end, int8_t* out) {
  for (size_t p = begin; p < end; ++p) {
    const int8_t* pairs = w.panel(p);
    v128_t sums[2] = {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
    for (size_t s = 0; s < w.segments(); ++s, pairs += w.pairs() * 2 * kPanelRows) {
      out = interleave_segment(pairs, w.pairs(), out, sums);
    }
    for (size_t h = 0; h < 2; ++h, out += 16) wasm_v128_store(out, sums[h]);
  }
}

void convolve_i8(const ConvolveI8Operands& in, const StaticEpilogue& epilogue, const ConvTile& tile) {
  if (relaxed_dot() == RelaxedDot::paired) return scalar::convolve_i8(in, epilogue, tile);
  const PairedMatrix& w = in.w;
  const OutputGrid& grid = in.grid;
  const generic::Requantization requantization(epilogue);
  const int32_t offset = in.zero_point - signed_offset();
  const int8_t* panels = in.panels;
  // One panel after another, so that its weights stay in the first-level cache for all windows.
  for (size_t p = tile.panel_begin; p < tile.panel_end; ++p, panels += interleaved_panel_bytes(w)) {
    const size_t channel = p * kPanelRows;
    const uint8_t* windows = in.q;
    for (size_t i = tile.begin; i < tile.end; i += kInterleavedWindows, windows += interleaved_window_bytes(w)) {
      int32_t sums[kInterleavedWindows][kPanelRows];
      multiply_interleaved(windows, panels, interleaved_quads(w), offset, sums);
      size_t at[kInterleavedWindows];
      generic::place(i, grid.width, grid.channels, grid.row_stride, at);
      requantization.store(sums, at, std::min(tile.end - i, kInterleavedWindows), channel,
                           std::min(kPanelRows, w.rows() - channel), in.output);
    }
  }
}

}  // namespace quintet::relaxed
