#pragma once
// Blocks that several families share.

#include <optional>
#include <string>
#include <vector>

#include "architectures/vision/graph_builder.h"

namespace quintet::vision {

// A convolution and its batch norm as transformers often calls them.
ConvNames normalized(const std::string& name);

// A convolution whose windows lie side by side.
NodeId patches(GraphBuilder& b, NodeId x, const std::string& name, const Padding& padding = {});

// The names of a block's layers; one without its convolution has no name.
struct InvertedNames {
  ConvNames expand = {};     // 1x1, or the whole convolution of a fused block
  ConvNames depthwise = {};  // none in a fused block
  std::string reduce = {}, excite = {};
  ConvNames project = {};
};

struct InvertedOptions {
  uint32_t stride = 1;
  Activation activation = Activation::relu6;
  Activation squeeze = Activation::relu;  // inside the squeeze and excitation
  Activation gate = Activation::sigmoid;
  bool has_shortcut = true;             // where the stride is 1 and the number of channels stays
  std::optional<Padding> padding = {};  // of the strided convolution; absent: as the family pads
};

// The inverted residual of MobileNetV2 (Sandler et al. 2018, arXiv:1801.04381), with the squeeze and excitation of
// MobileNetV3 and EfficientNet, or fused as in EfficientNetV2 (Tan and Le 2021, arXiv:2104.00298).
NodeId inverted_residual(GraphBuilder& b, NodeId x, const InvertedNames& names, const InvertedOptions& options);

struct ResidualNames {
  std::vector<ConvNames> convs = {};
  std::string reduce = {}, excite = {};  // empty: no squeeze and excitation
  ConvNames shortcut = {};               // no name: the input itself
};

struct ResidualOptions {
  uint32_t stride = 1;
  size_t strided = 0;           // index of the convolution that has the stride
  size_t excited = 0;           // index of the convolution after which the squeeze and excitation is
  bool pools_shortcut = false;  // an average pooling has the shortcut's stride (He et al. 2018, arXiv:1812.01187)
};

// The block of a ResNet (He et al. 2015, arXiv:1512.03385) of any number of convolutions, with ReLU.
NodeId residual_block(GraphBuilder& b, NodeId x, const ResidualNames& names, const ResidualOptions& options);

}  // namespace quintet::vision
