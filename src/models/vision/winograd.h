#pragma once
// Winograd's algorithm over a whole layer (kernels/winograd_f32.h), in blocks of tiles and of panels, shared among
// threads.

#include <algorithm>
#include <type_traits>

#include "kernels/winograd_i16.h"
#include "models/vision/feature_map.h"
#include "models/vision/work_shares.h"

namespace quintet::vision {

// Whether the algorithm supports the shape of a layer. `unit`: the number of which the channels must be a multiple.
inline bool has_winograd_shape(const ConvLayer& layer, size_t unit) {
  return layer.kernel == 3 && layer.stride == 1 && layer.padding == 1 && layer.in_channels % unit == 0;
}

// The number of values of a tap in a panel's transformed weights.
template <class T>
constexpr size_t tap_values(size_t channels) {
  return std::is_same_v<T, int16_t> ? static_tap_values(channels) : channels * kPanelRows;
}

// The kernels for one type of values.
template <class Input, class Weights, class Multiply>
struct WinogradKernels {
  Input* input;
  Weights* weights;
  Multiply* multiply;
};

template <class WinogradKernels, class T, class Weights, class Epilogue>
class Winograd {
 public:
  Winograd(const WinogradKernels& kernels, const FeatureMap<T>& x, const Weights& w, FeatureMap<T>& y,
           const Epilogue& epilogue, ConvolutionScratch<T>& scratch)
      : kernels_(kernels), x_(x), w_(w), y_(y), epilogue_(epilogue), scratch_(scratch) {}

  // Either the weights of all panels are transformed once, and threads share the tiles; or, if there are many weights,
  // the inputs of most tiles, and threads share the panels.
  Status apply() {
    constexpr size_t kMaxWeights = 2 * kBlockBytes;
    return block_of(of_panel_ * sizeof(T), kMaxWeights) >= w_.panels() ? share_tiles() : share_panels();
  }

 private:
  Status share_tiles() {
    const size_t max = std::min(block_of(of_tile_ * sizeof(T)), tiles_);
    const size_t of_block = max * of_tile_;
    QUINTET_TRY(T* const u, scratch_.room(scratch_.weights, uint64_t{w_.panels()} * of_panel_));
    QUINTET_TRY(T* const blocks, scratch_.room(scratch_.inputs, uint64_t{thread_count()} * of_block));
    const PanelPartition panels(w_.panels(), of_panel_ / kPanelRows);
    parallel_for(panels.parts(), [&](size_t part, size_t) {
      transform_weights(panels.begin(part), panels.end(part), u + panels.begin(part) * of_panel_);
    });
    const Partition shares = shares_of(tiles_, uint64_t{w_.panels()} * of_panel_);
    parallel_for(shares.parts, [&](size_t part, size_t thread) {
      T* const v = blocks + thread * of_block;
      const size_t end = shares.end(part);
      for (size_t tile = shares.begin(part), next; tile < end; tile = next) {
        next = std::min(tile + max, end);
        transform_inputs(tile, next, v);
        multiply(v, u, {.begin = tile, .end = next, .panel_begin = 0, .panel_end = w_.panels()});
      }
    });
    return {};
  }

  Status share_panels() {
    constexpr size_t kMaxInputs = 16 * kBlockBytes;
    const size_t max_tiles = std::min(block_of(of_tile_ * sizeof(T), kMaxInputs), tiles_);
    QUINTET_TRY(T* const v, scratch_.room(scratch_.inputs, uint64_t{max_tiles} * of_tile_));
    const size_t max = std::min(block_of(of_panel_ * sizeof(T)), w_.panels());
    const size_t of_block = max * of_panel_;
    QUINTET_TRY(T* const blocks, scratch_.room(scratch_.weights, uint64_t{thread_count()} * of_block));
    for (size_t tile = 0, tile_end; tile < tiles_; tile = tile_end) {
      tile_end = std::min(tile + max_tiles, tiles_);
      const Partition tiles = shares_of(tile_end - tile, of_tile_);
      parallel_for(tiles.parts, [&](size_t part, size_t) {
        transform_inputs(tile + tiles.begin(part), tile + tiles.end(part), v + tiles.begin(part) * of_tile_);
      });
      const PanelPartition shares(w_.panels(), uint64_t{tile_end - tile} * of_panel_);
      parallel_for(shares.parts(), [&](size_t part, size_t thread) {
        T* const u = blocks + thread * of_block;
        const size_t end = shares.end(part);
        for (size_t panel = shares.begin(part), next; panel < end; panel = next) {
          next = std::min(panel + max, end);
          transform_weights(panel, next, u);
          multiply(v, u, {.begin = tile, .end = tile_end, .panel_begin = panel, .panel_end = next});
        }
      });
    }
    return {};
  }

  void transform_inputs(size_t begin, size_t end, T* v) const {
    kernels_.input(x_.at(-1, -1),
                   {.row_stride = x_.row_stride(),
                    .channels = x_.channels,
                    .tiles_in_row = tiles_in_row_,
                    .begin = begin,
                    .end = end},
                   v);
  }
  void transform_weights(size_t begin, size_t end, T* u) const { kernels_.weights(w_, x_.channels, begin, end, u); }
  void multiply(const T* v, const T* u, const ConvTile& tile) const {
    kernels_.multiply({.v = v, .u = u, .channels = x_.channels, .output = y_.at(0, 0), .grid = grid_of(y_)}, epilogue_,
                      tile);
  }

  const WinogradKernels& kernels_;
  const FeatureMap<T>& x_;
  const Weights& w_;
  FeatureMap<T>& y_;
  const Epilogue& epilogue_;
  ConvolutionScratch<T>& scratch_;
  size_t tiles_in_row_ = (y_.width + 1) / 2;
  size_t tiles_ = tiles_in_row_ * ((y_.height + 1) / 2);
  // The numbers of values of a transformed tile and a transformed panel.
  size_t of_tile_ = kWinogradTaps * x_.channels;
  size_t of_panel_ = kWinogradTaps * tap_values<T>(x_.channels);
};

// y = epilogue(convolution of x and w). `kernels`: those for T.
template <class WinogradKernels, class T, class Weights, class Epilogue>
Status winograd(const WinogradKernels& kernels, const FeatureMap<T>& x, const Weights& w, FeatureMap<T>& y,
                const Epilogue& epilogue, ConvolutionScratch<T>& scratch) {
  return Winograd(kernels, x, w, y, epilogue, scratch).apply();
}

}  // namespace quintet::vision
