// MobileNetV2, MobileNetV3 and EfficientNet as torchvision has them (models/mobilenetv2.py, mobilenetv3.py,
// efficientnet.py). Their layers are numbered, and which one it is shows in the shapes of the tensors; a file has no
// configuration, so strides follow from what is known of these networks.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "architectures/vision/blocks.h"
#include "architectures/vision/families.h"

namespace quintet::vision {
namespace {

using enum Activation;

// The layers of a block: `prefix` "features.1.block.", each a convolution ".0" with a batch norm ".1", or a squeeze and
// excitation.
InvertedNames names_of(const GraphBuilder& b, const std::string& prefix) {
  InvertedNames names;
  std::vector<ConvNames> convs;
  for (uint32_t i = 0; i < 4; ++i) {
    const std::string layer = formatted("{}{}", prefix, i);
    if (b.has(layer + ".fc1.weight")) {
      names.reduce = layer + ".fc1";
      names.excite = layer + ".fc2";
    } else if (b.has(layer + ".0.weight")) {
      convs.push_back({layer + ".0", layer + ".1"});
    } else if (b.has(layer + ".running_var")) {
      convs.push_back({formatted("{}{}", prefix, i - 1), layer});  // MobileNetV2's last pair is not nested
    }
  }
  if (convs.empty()) return names;
  names.project = convs.back();
  // Two convolutions are a depthwise one and the last, unless the first sees all channels; a single one is fused.
  const bool is_fused = b.kernel(convs[0].conv) > 1 && !b.is_depthwise(convs[0].conv);
  if (convs.size() == 3 || (is_fused && convs.size() == 2)) names.expand = convs[0];
  if (!is_fused && convs.size() > 1) names.depthwise = convs[convs.size() - 2];
  return names;
}

// The blocks at which MobileNetV2's stages begin, counted from 0, if its stages are repeated at most `cap` times.
constexpr std::array<uint32_t, 7> kRepeats = {1, 2, 3, 4, 3, 3, 1};
constexpr std::string_view kStrides = "1222121";

uint32_t mobilenet_v2_stride(uint32_t block, uint32_t blocks) {
  for (uint32_t cap = 1; cap <= 4; ++cap) {
    uint32_t sum = 0;
    for (const uint32_t repeats : kRepeats) sum += std::min(repeats, cap);
    if (sum != blocks) continue;
    uint32_t begin = 0;
    for (size_t stage = 0; stage < kRepeats.size(); ++stage) {
      if (block == begin) return static_cast<uint32_t>(kStrides[stage] - '0');
      begin += std::min(kRepeats[stage], cap);
    }
    return 1;
  }
  return 0;  // not a number of blocks that is known
}

uint32_t count_blocks(const GraphBuilder& b, const char* inside) {
  uint32_t count = 0;
  while (b.has(formatted("features.{}.{}0.0.weight", count + 1, inside))) ++count;
  return count;
}

// Features of the last layers: a convolution, and in MobileNetV3 a linear layer after the mean.
NodeId add_head(GraphBuilder& b, NodeId x, uint32_t layer, Activation activation) {
  const std::string last = formatted("features.{}.", layer);
  return b.mean(b.conv(x, {last + "0", last + "1"}, {.activation = activation}));
}

NodeId add_mobilenet_v2(GraphBuilder& b) {
  const uint32_t blocks = count_blocks(b, "conv.");
  NodeId x = b.conv(b.image(), {"features.0.0", "features.0.1"}, {.stride = 2, .activation = relu6});
  for (uint32_t i = 0; i < blocks && !b.failed(); ++i) {
    const uint32_t stride = mobilenet_v2_stride(i, blocks);
    if (stride == 0) b.fail_with(unsupported_error("a MobileNetV2 of {} blocks; 17 are supported", blocks));
    x = inverted_residual(b, x, names_of(b, formatted("features.{}.conv.", i + 1)), {.stride = stride});
  }
  return b.classifier(add_head(b, x, blocks + 1, relu6), "classifier.1");
}

// Blocks of one kernel size, all with or all without squeeze and excitation, in a row. These runs are the same in every
// MobileNetV3 of a size, with any widths and depths (Howard et al. 2019, arXiv:1905.02244, tables 1 and 2):
//   large: 3x3, 5x5 excited, 3x3, 3x3 excited, 5x5 excited; the second block of the first run has a stride too
//   small: 3x3 excited, 3x3, 5x5 excited; in the last run, the last change of the number of channels has a stride too
// The first two runs have ReLU, the others hard swish.
NodeId add_mobilenet_v3(GraphBuilder& b) {
  b.style.epsilon = 1e-3F;
  const uint32_t count = count_blocks(b, "block.");
  std::vector<InvertedNames> blocks;
  for (uint32_t i = 1; i <= count; ++i) blocks.push_back(names_of(b, formatted("features.{}.block.", i)));
  const bool is_small = count != 0 && !blocks[0].reduce.empty();
  uint32_t widest = 0;  // the first block of the last width
  for (uint32_t i = 1; i < count; ++i) {
    if (b.outputs(blocks[i].project.conv) != b.outputs(blocks[i - 1].project.conv)) widest = i;
  }

  constexpr std::string_view kLargeStrides = "12212", kSmallStrides = "222";
  const std::string_view strides = is_small ? kSmallStrides : kLargeStrides;
  NodeId x = b.conv(b.image(), {"features.0.0", "features.0.1"}, {.stride = 2, .activation = hard_swish});
  for (uint32_t i = 0, run = 0; i < count && !b.failed(); ++i) {
    const auto kind = [&](const InvertedNames& names) {
      return 2 * b.kernel(names.depthwise.conv) + (names.reduce.empty() ? 0 : 1);
    };
    const bool begins = i == 0 || kind(blocks[i]) != kind(blocks[i - 1]);
    if (begins && i != 0) ++run;
    if (run >= strides.size()) {
      b.fail_with(unsupported_error("block {} is not one of a MobileNetV3", i));
      return 0;
    }
    uint32_t stride = begins ? static_cast<uint32_t>(strides[run] - '0') : 1;
    if (i == (is_small ? widest : 1)) stride = 2;
    x = inverted_residual(b, x, blocks[i],
                          {.stride = stride, .activation = run < 2 ? relu : hard_swish, .gate = hard_sigmoid});
  }
  const NodeId pooled = add_head(b, x, count + 1, hard_swish);
  return b.classifier(b.linear(pooled, {"classifier.0"}, {.activation = hard_swish}), "classifier.3");
}

// Nested by stage. EfficientNetV2's first stages are fused. The deepest networks, B5 to B7 and V2, have another
// epsilon.
NodeId add_efficientnet(GraphBuilder& b) {
  const bool is_v2 = !b.is_depthwise("features.1.0.block.0.0");
  const bool is_deep = b.has("features.1.2.block.0.0.weight");
  b.style.epsilon = is_v2 || is_deep ? 1e-3F : 1e-5F;
  const std::string_view strides = is_v2 ? "122212" : kStrides;
  NodeId x = b.conv(b.image(), {"features.0.0", "features.0.1"}, {.stride = 2, .activation = silu});
  uint32_t stage = 1;
  for (; stage <= strides.size(); ++stage) {
    for (uint32_t i = 0; !b.failed(); ++i) {
      const std::string prefix = formatted("features.{}.{}.block.", stage, i);
      if (!b.has(prefix + "0.0.weight")) break;
      const auto stride = static_cast<uint32_t>(i == 0 ? strides[stage - 1] - '0' : 1);
      const InvertedNames names = names_of(b, prefix);
      if (names.depthwise.conv.empty() && names.expand.conv.empty()) {
        // A fused block without expansion is one convolution, whose input is added after its activation.
        const NodeId y = b.conv(x, names.project, {.stride = stride, .activation = silu});
        x = stride == 1 && b.channels(x) == b.channels(y) ? b.sum(y, x, none) : y;
      } else {
        x = inverted_residual(b, x, names, {.stride = stride, .activation = silu, .squeeze = silu});
      }
    }
  }
  return b.classifier(add_head(b, x, stage, silu), "classifier.1");
}

}  // namespace

NodeId add_torchvision_blocks(GraphBuilder& b, const FamilySource& source) {
  if (source.architecture == "MobileNetV2") return add_mobilenet_v2(b);
  return source.architecture == "MobileNetV3" ? add_mobilenet_v3(b) : add_efficientnet(b);
}

}  // namespace quintet::vision
