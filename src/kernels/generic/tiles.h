#pragma once
// How a part of a result is cut into tiles that fit the registers.

#include <algorithm>

#include "kernels/kernels.h"

namespace quintet::generic {

// Two nearly equal tiles at the end: a lone row would reload all weights for little work.
inline size_t next_rows(size_t left, size_t most) {
  if (left <= most) return left;
  return left < 2 * most ? (left + 1) / 2 : most;
}

// Calls run.operator()<rows, panels>(row, panel, count) for tiles that cover `part`: `rows` rows times `count` panels
// from `panel` on, to be computed `panels` at a time. Few rows take several panels at once, which keeps as
// many sums in flight. The weights of a block stay in the cache while all rows pass over them.
template <size_t kMostRows, class Run>
inline void cover(const GemmTile& part, size_t panel_bytes, Run run) {
  constexpr size_t kBlockBytes = 96 * 1024;
  constexpr size_t kPanelsAtOnce = 12;  // a multiple of all that tiles take at once
  const size_t fitting = kBlockBytes / std::max<size_t>(panel_bytes, 1) / kPanelsAtOnce * kPanelsAtOnce;
  const size_t block = std::max(fitting, kPanelsAtOnce);
  for (size_t panel = part.panel_begin; panel < part.panel_end; panel += std::min(block, part.panel_end - panel)) {
    const size_t count = std::min(block, part.panel_end - panel);
    for (size_t row = part.row_begin, rows; row < part.row_end; row += rows) {
      rows = next_rows(part.row_end - row, kMostRows);
      switch (rows) {
        case 1: run.template operator()<1, 4>(row, panel, count); break;
        case 2: run.template operator()<2, 2>(row, panel, count); break;
        case 3:
          if constexpr (kMostRows >= 6) {
            run.template operator()<3, 2>(row, panel, count);
          } else {
            run.template operator()<3, 1>(row, panel, count);
          }
          break;
        case 4: if constexpr (kMostRows >= 4) run.template operator()<4, 1>(row, panel, count); break;
        case 5: if constexpr (kMostRows >= 5) run.template operator()<5, 1>(row, panel, count); break;
        case 6: if constexpr (kMostRows >= 6) run.template operator()<6, 1>(row, panel, count); break;
      }
    }
  }
}

}  // namespace quintet::generic
