#pragma once
// Winograd's algorithm over a whole layer (kernels/convolution.h), in blocks of tiles and of panels.

#include <algorithm>
#include <type_traits>

#include "models/resnet/convolution_geometry.h"
#include "models/resnet/convolution_scratch.h"

namespace quintet::resnet {

// Whether a layer is of the shape that the algorithm computes; `unit`: what its kernels need channels to be multiples
// of.
inline bool has_winograd_shape(const ConvLayer& layer, size_t unit) {
  return layer.kernel == 3 && layer.stride == 1 && layer.padding == 1 && layer.in_channels % unit == 0;
}

// Tiles and panels that are computed at a time. Either the weights of all panels are transformed once, for all blocks
// of tiles; or, where they are many, the inputs of most tiles, for all blocks of panels.
struct WinogradBlocks {
  size_t tiles;
  size_t panels;

  WinogradBlocks(size_t tile_bytes, size_t panel_bytes, size_t all_panels) {
    constexpr size_t kMostWeights = 2 * kBlockBytes;
    constexpr size_t kMostInputs = 16 * kBlockBytes;
    const bool few_weights = block_of(panel_bytes, kMostWeights) >= all_panels;
    tiles = block_of(tile_bytes, few_weights ? kBlockBytes : kMostInputs);
    panels = few_weights ? all_panels : block_of(panel_bytes);
  }
};

// Values of a tap of a panel's transformed weights.
template <class T>
constexpr size_t tap_values(size_t channels) {
  return std::is_same_v<T, int16_t> ? static_tap_values(channels) : channels * kPanelRows;
}

// y = epilogue(convolution of x and w). `kernels`: those for T.
template <class ConvolutionKernels, class T, class Weights, class Epilogue>
Status winograd(const ConvolutionKernels& kernels, const FeatureMap<T>& x, const Weights& w, FeatureMap<T>& y,
                const Epilogue& epilogue, ConvolutionScratch<T>& scratch) {
  const size_t channels = x.channels;
  const size_t of_tile = kWinogradTaps * channels;
  const size_t of_panel = kWinogradTaps * tap_values<T>(channels);
  const size_t tiles_in_row = (y.width + 1) / 2;
  const size_t all_tiles = tiles_in_row * ((y.height + 1) / 2);
  const WinogradBlocks blocks(of_tile * sizeof(T), of_panel * sizeof(T), w.panels());
  const size_t most_tiles = std::min(blocks.tiles, all_tiles);
  QUINTET_TRY(T* const v, scratch.room(scratch.inputs, uint64_t{most_tiles} * of_tile));
  QUINTET_TRY(T* const u, scratch.room(scratch.weights, uint64_t{std::min(blocks.panels, w.panels())} * of_panel));

  for (size_t tile = 0; tile < all_tiles; tile += blocks.tiles) {
    const size_t tile_end = std::min(tile + blocks.tiles, all_tiles);
    kernels.winograd_input(x.at(-1, -1),
                           {.row_stride = x.row_stride(),
                            .channels = channels,
                            .tiles_in_row = tiles_in_row,
                            .begin = tile,
                            .end = tile_end},
                           v);
    for (size_t panel = 0; panel < w.panels(); panel += blocks.panels) {
      const size_t panel_end = std::min(panel + blocks.panels, w.panels());
      const bool ready = tile != 0 && blocks.panels >= w.panels();
      if (!ready) kernels.winograd_weights(w, channels, panel, panel_end, u);
      kernels.winograd_multiply(v, u, channels, y.at(0, 0), grid_of(y), epilogue,
                                {.begin = tile, .end = tile_end, .panel_begin = panel, .panel_end = panel_end});
    }
  }
  return {};
}

}  // namespace quintet::resnet
