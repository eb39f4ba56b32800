#pragma once
// Where the windows of a layer lie in a feature map, and its outputs in another.

#include "formats/layer_table.h"
#include "kernels/convolution.h"
#include "models/resnet/feature_map.h"

namespace quintet::resnet {

inline size_t output_length(size_t length, const ConvLayer& layer) {
  return (length + 2 * size_t{layer.padding} - layer.kernel) / layer.stride + 1;
}

// The map for the outputs of a layer that reads `x`.
template <class T>
Result<FeatureMap<T>> make_output(const ConvLayer& layer, const FeatureMap<T>& x, size_t border) {
  return FeatureMap<T>::make(output_length(x.height, layer), output_length(x.width, layer), layer.out_channels, border);
}

// Where the first window begins. The border of `x` is not less than the layer's padding.
template <class T>
const T* first_window(const ConvLayer& layer, const FeatureMap<T>& x) {
  const auto padding = static_cast<ptrdiff_t>(layer.padding);
  return x.at(-padding, -padding);
}

template <class T>
Im2colView im2col_view(const ConvLayer& layer, const FeatureMap<T>& x) {
  return {.rows = layer.kernel,
          .run = layer.kernel * x.channels,
          .row_stride = x.row_stride(),
          .step = layer.stride * x.channels,
          .line = layer.stride * x.row_stride(),
          .width = output_length(x.width, layer)};
}

template <class T>
OutputGrid grid_of(const FeatureMap<T>& y) {
  return {.height = y.height, .width = y.width, .row_stride = y.row_stride(), .channels = y.channels};
}

// A linear layer is a convolution over one pixel.
inline ConvLayer as_convolution(const LinearLayer& linear) {
  return {.kernel = 1,
          .stride = 1,
          .padding = 0,
          .in_channels = linear.in_features,
          .out_channels = linear.out_features,
          .bias = linear.bias,
          .output = linear.output};
}

}  // namespace quintet::resnet
