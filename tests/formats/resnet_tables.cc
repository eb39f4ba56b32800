#include "tests/formats/resnet_tables.h"

namespace quintet::test {

LayerTable resnet_table(const std::vector<int>& blocks, bool bottleneck, bool cifar, bool concat, uint32_t width) {
  LayerTable table;
  const auto add = [&table](uint32_t kernel, uint32_t stride, uint32_t in, uint32_t out) {
    table.convs.push_back({.kernel = kernel,
                           .stride = stride,
                           .padding = kernel / 2,
                           .in_channels = in,
                           .out_channels = out,
                           .bias = true,
                           .output = {}});
  };
  cifar ? add(3, 1, 3, width) : add(7, 2, 3, width);
  uint32_t in = width;
  for (size_t stage = 0; stage < blocks.size(); ++stage, width *= 2) {
    for (int block = 0; block < blocks[stage]; ++block) {
      const uint32_t stride = stage > 0 && block == 0 ? 2 : 1, out = bottleneck ? 4 * width : width;
      if (bottleneck) {
        add(1, 1, in, width);
        add(3, stride, width, width);
        add(1, 1, width, out);
      } else {
        add(3, stride, in, out);
        add(3, 1, out, out);
      }
      if (!cifar && block == 0 && (stage > 0 || bottleneck)) add(1, stride, in, out);
      in = out;
    }
  }
  table.classes = 7;
  if (concat) {
    table.linears = {{2 * in, 5, false, {}}, {5, 7, true, {}}};
    table.batch_norms = {2 * in, 5};
  } else {
    table.linears = {{in, 7, true, {}}};
  }
  return table;
}

}  // namespace quintet::test
