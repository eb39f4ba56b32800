#pragma once
// Divides a part of a result into tiles that fit the registers, and positions their outputs.

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/gemm.h"

namespace quintet::generic {

// Computes rows from `row` on for `count` panels from `panel` on.
template <class Operands, class Finish>
using Tile = void (*)(const Operands& operands, size_t row, size_t panel, size_t count, const Finish& epilogue);

// The tiles of 1, 2, ... rows; null for a number of rows without a tile, which is covered by smaller ones. They are
// always called through a table, so that neither linker nor engine merges them into one function: each tile has all
// registers for itself, and is short enough to be replaced by optimized code after a few calls.
template <class Operands, size_t kMaxRows, class Finish = Epilogue>
using Tiles = std::array<Tile<Operands, Finish>, kMaxRows>;

// make<rows, panels>() for each number of rows up to kMaxRows of which the variant has float tiles.
template <class Arithmetic, class Function, size_t kMaxRows = Arithmetic::kPanels.size(), class Make>
constexpr std::array<Function, kMaxRows> float_tiles(Make make) {
  const auto tile = [&]<size_t kRows>() -> Function {
    constexpr size_t kPanels = Arithmetic::kPanels[kRows - 1];
    if constexpr (kPanels == 0) {
      return nullptr;
    } else {
      return make.template operator()<kRows, kPanels>();
    }
  };
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return std::array<Function, kMaxRows> { tile.template operator()<i + 1>()... };
  }(std::make_index_sequence<kMaxRows>());
}

// Two nearly equal tiles at the end, because a single row would reload all weights for little work. Never five rows,
// whose tiles would take a kilobyte or two of each module.
inline size_t next_rows(size_t left, size_t max) {
  const size_t half = (left + 1) / 2;
  const size_t rows = left <= max ? left : left < 2 * max ? half : max;
  if (rows != 5) return rows;
  return left == 5 ? 3 : 6;
}

// The number of panels that stay in the cache while all rows are multiplied by them.
inline size_t panels_of_block(size_t panel_bytes) {
  constexpr size_t kBlockBytes = 96 * 1024;
  constexpr size_t kPanelsAtOnce = 12;  // a multiple of the number of panels of any tile
  // Fewer of long panels, although a tile of two rows, which has three, does not divide them: it is rare.
  constexpr size_t kFewPanels = 4;
  const size_t fitting = kBlockBytes / std::max<size_t>(panel_bytes, 1);
  if (fitting >= kPanelsAtOnce) return fitting / kPanelsAtOnce * kPanelsAtOnce;
  return std::max(fitting / kFewPanels * kFewPanels, kFewPanels);
}

// Covers `part` with tiles, one block of panels after another. Where rows form bands of kBand, no tile has rows of two
// of them.
template <size_t kBand = 0, class Operands, size_t kMaxRows, class Finish>
inline void cover(const GemmTile& part, size_t panel_bytes, const Tiles<Operands, kMaxRows, Finish>& tiles,
                  const Operands& operands, const Finish& epilogue) {
  const size_t block = panels_of_block(panel_bytes);
  for (size_t panel = part.panel_begin, count; panel < part.panel_end; panel += count) {
    count = std::min(block, part.panel_end - panel);
    for (size_t row = part.row_begin, rows; row < part.row_end; row += rows) {
      if constexpr (kBand == 0) {
        rows = next_rows(part.row_end - row, kMaxRows);
      } else {
        rows = std::min({part.row_end - row, kMaxRows, kBand - row % kBand});
        while (tiles[rows - 1] == nullptr) --rows;
      }
      tiles[rows - 1](operands, row, panel, count, epilogue);
    }
  }
}

// Computes the positions of outputs first, first + 1, ... of a map: `width` per line, with distance `step`; lines have
// distance `line`. A tile may extend into the next line.
template <size_t kCount>
[[gnu::always_inline]] inline void place(size_t first, size_t width, size_t step, size_t line,
                                         size_t (&offsets)[kCount]) {
  size_t x = first % width;
  size_t begin = first / width * line;
  for (size_t& offset : offsets) {
    offset = begin + x * step;
    if (++x == width) {
      x = 0;
      begin += line;
    }
  }
}

}  // namespace quintet::generic
