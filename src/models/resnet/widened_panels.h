#pragma once
// Weights in int8 become the 16 bits that kernels multiply.

#include "kernels/kernels.h"
#include "models/resnet/work_shares.h"

namespace quintet::resnet {

// All of w; the threads share the work.
inline void widen_all_panels(const Kernels& kernels, const PairedMatrix& w, int16_t* panels) {
  const PanelPartition shares(w.panels(), w.panel_values() / kPanelRows);
  parallel_for(shares.parts(), [&](size_t part, size_t) {
    const size_t begin = shares.begin(part);
    kernels.widen_panels(w, begin, shares.end(part), panels + begin * w.panel_values());
  });
}

}  // namespace quintet::resnet
