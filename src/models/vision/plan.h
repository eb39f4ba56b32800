#pragma once
// The plan of a pass over an image of a given size: the size of every map, its border, and when it is no longer
// needed.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "architectures/vision/graph.h"
#include "base/result.h"

namespace quintet::vision {

struct PlannedMap {
  size_t height = 0;
  size_t width = 0;
  size_t border = 0;  // zeros around it, which are padding to the windows that read it
  NodeId last_reader = kNoNode;
};

// The zeros before and after a row or column.
struct Zeros {
  size_t before, after;
};
Zeros zeros_of(const Window& window, size_t length);

// One entry per node. INPUT for an image that is too small for a window.
Result<std::vector<PlannedMap>> plan_pass(const Graph& graph, size_t height, size_t width);

// The memory of a pass over an image of the usual size.
struct PassBytes {
  uint64_t image = 0;
  uint64_t maps = 0;     // that are held at a time, at most
  uint64_t largest = 0;  // map

  // The most that a pass takes: the working memory of a convolution, such as quantized windows, is at most as large as
  // the largest map.
  uint64_t max() const { return image + maps + largest; }
};
PassBytes pass_bytes(const Graph& graph, size_t value_bytes);

}  // namespace quintet::vision
