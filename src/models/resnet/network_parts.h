#pragma once
// The layers of a network, whatever kind they are of.

#include <vector>

#include "formats/layer_table.h"
#include "models/resnet/batch_norm.h"
#include "models/resnet/convolution_geometry.h"

namespace quintet::resnet {

// Layer: FloatConvolution, DynamicConvolution or StaticConvolution.
template <class Layer>
struct NetworkParts {
  std::vector<Layer> convs;
  std::vector<Layer> linears;
  std::vector<TailNorm> norms;

  // Numbered as in resnet_tensors(): convolutions first, then linear layers.
  Layer& layer(size_t index) { return index < convs.size() ? convs[index] : linears[index - convs.size()]; }

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Layer& conv : convs) sum += conv.bytes();
    for (const Layer& linear : linears) sum += linear.bytes();
    for (const TailNorm& norm : norms) sum += norm.bytes();
    return sum;
  }
};

// Without weights yet. make(ConvLayer, index) gives a layer, numbered as above.
template <class Layer, class Make>
NetworkParts<Layer> parts_of(const LayerTable& table, Make make) {
  NetworkParts<Layer> parts;
  size_t index = 0;
  for (const ConvLayer& conv : table.convs) parts.convs.push_back(make(conv, index++));
  for (const LinearLayer& linear : table.linears) parts.linears.push_back(make(as_convolution(linear), index++));
  parts.norms.resize(table.batch_norms.size());
  return parts;
}

}  // namespace quintet::resnet
