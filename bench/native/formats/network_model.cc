#include <array>
#include <utility>

#include "architectures/resnet/graph.h"
#include "architectures/resnet/tensors.h"
#include "bench/native/formats/models.h"

namespace quintet::bench {
namespace {

constexpr uint32_t kClasses = 1000, kFirstWidth = 64, kExpansion = 4;
constexpr std::array<uint32_t, 4> kBlocks = {3, 4, 6, 3};
constexpr uint32_t kDefaultGroup = 64;

void add_conv(LayerTable& table, uint32_t kernel, uint32_t stride, uint32_t in, uint32_t out) {
  table.convs.push_back({.kernel = kernel,
                         .stride = stride,
                         .padding = kernel / 2,
                         .in_channels = in,
                         .out_channels = out,
                         .bias = true,
                         .output = {}});
}

LayerTable resnet50(NetworkKind kind) {
  LayerTable table;
  table.kind = kind;
  table.classes = kClasses;
  add_conv(table, 7, 2, 3, kFirstWidth);
  uint32_t in = kFirstWidth, width = kFirstWidth;
  for (size_t stage = 0; stage < kBlocks.size(); ++stage, width *= 2) {
    for (uint32_t block = 0; block < kBlocks[stage]; ++block) {
      const uint32_t stride = stage > 0 && block == 0 ? 2 : 1, out = kExpansion * width;
      add_conv(table, 1, 1, in, width);
      add_conv(table, 3, stride, width, width);
      add_conv(table, 1, 1, width, out);
      if (block == 0) add_conv(table, 1, stride, in, out);
      in = out;
    }
  }
  table.linears = {{.in_features = in, .out_features = kClasses, .bias = true, .output = {}}};
  return table;
}

// Groups lie within a filter, so that the stem's 3 x 7 x 7 weights need one of their own.
uint32_t group_of(const ResNetTensor& tensor) {
  if (tensor.part == ResNetPart::bias) return static_cast<uint32_t>(tensor.elements());
  const uint64_t filter = tensor.elements() / tensor.shape[0];
  return filter % kDefaultGroup == 0 ? kDefaultGroup : static_cast<uint32_t>(filter);
}

}  // namespace

ModelDescription network(NetworkKind kind) {
  ModelDescription description;
  description.format = Format::tinyruntime;
  description.layers = resnet50(kind);
  const auto graph = resnet_of(static_cast<uint32_t>(description.layers->convs.size()), ResNetTail::plain);
  for (ResNetTensor& tensor : resnet_tensors(*description.layers, *graph)) {
    TensorInfo info;
    if (kind == NetworkKind::dq8) {
      info.quantization = {.scheme = Scheme::group_int8, .block = group_of(tensor), .scale_dtype = Dtype::f32};
    }
    info.name = std::move(tensor.name);
    info.shape = std::move(tensor.shape);
    description.tensors.push_back(std::move(info));
  }
  return description;
}

}  // namespace quintet::bench
