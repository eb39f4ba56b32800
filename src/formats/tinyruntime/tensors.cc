#include "formats/tinyruntime/tensors.h"

#include <utility>

namespace quintet::tinyruntime {
namespace {

std::string block_name(const Block& block) { return formatted("layer{}.{}.", block.stage + 1, block.index); }

void add_layer(std::vector<NetworkTensor>& tensors, const std::string& name, std::vector<uint64_t> shape, bool bias,
               size_t layer) {
  const std::vector<uint64_t> bias_shape(1, shape[0]);
  tensors.push_back({name + ".weight", std::move(shape), TensorPart::weight, static_cast<uint32_t>(layer)});
  if (bias) tensors.push_back({name + ".bias", bias_shape, TensorPart::bias, static_cast<uint32_t>(layer)});
}

// Removes `text` from the front.
bool take(std::string_view& name, std::string_view text) {
  if (!name.starts_with(text)) return false;
  name.remove_prefix(text.size());
  return true;
}

// Removes a digit and the dot after it.
constexpr uint32_t kNumbers = 10;
uint32_t take_number(std::string_view& name) {
  if (name.size() < 2 || name[0] < '0' || name[0] > '9' || name[1] != '.') return kNumbers;
  const auto number = static_cast<uint32_t>(name[0] - '0');
  name.remove_prefix(2);
  return number;
}

// Sort key of unknown names: after all others.
constexpr uint32_t kElsewhere = UINT32_MAX;
// The position of the layer at the start of `name`, which is removed. The arrays of a layer follow its own position.
uint32_t take_layer(std::string_view& name) {
  constexpr uint32_t kArrays = 4, kTail = kArrays * kNumbers * kNumbers * kNumbers;
  if (take(name, "conv1.")) return 0;
  if (take(name, "fc.")) return kTail;
  const bool linear = take(name, "head.fc");
  if (linear || take(name, "head.bn")) {
    const uint32_t number = take_number(name);
    return number == kNumbers ? kElsewhere : kTail + kArrays * (linear ? number : kNumbers + number);
  }
  if (!take(name, "layer")) return kElsewhere;
  const uint32_t stage = take_number(name), block = take_number(name);
  const uint32_t conv = take(name, "conv") ? take_number(name) : take(name, "downsample.0.") ? kNumbers - 1 : kNumbers;
  if (stage == kNumbers || block == kNumbers || conv == kNumbers) return kElsewhere;
  return ((stage * kNumbers + block) * kNumbers + conv) * kArrays;
}

}  // namespace

uint64_t NetworkTensor::elements() const {
  uint64_t product = 1;
  for (const uint64_t dimension : shape) product *= dimension;
  return product;
}

std::vector<std::string> conv_names(const Network& graph) {
  std::vector<std::string> names = {"conv1"};
  for (const Block& block : graph.blocks) {
    const std::string prefix = block_name(block);
    for (uint32_t i = 1; i <= block.conv_count; ++i) names.push_back(formatted("{}conv{}", prefix, i));
    if (block.downsample) names.push_back(prefix + "downsample.0");
  }
  return names;
}

std::string linear_name(const Network& graph, uint32_t linear) {
  return graph.tail == Tail::plain ? "fc" : formatted("head.fc{}", linear + 1);
}

std::vector<NetworkTensor> network_tensors(const LayerTable& table, const Network& graph) {
  std::vector<NetworkTensor> tensors;
  const std::vector<std::string> names = conv_names(graph);
  for (size_t i = 0; i < table.convs.size(); ++i) {
    const ConvLayer& conv = table.convs[i];
    add_layer(tensors, names[i], {conv.out_channels, conv.in_channels, conv.kernel, conv.kernel}, conv.bias, i);
  }
  for (size_t i = 0; i < table.linears.size(); ++i) {
    const LinearLayer& linear = table.linears[i];
    add_layer(tensors, linear_name(graph, static_cast<uint32_t>(i)), {linear.out_features, linear.in_features},
              linear.bias, table.convs.size() + i);
  }
  for (uint32_t i = 0; i < table.batch_norms.size(); ++i) {
    const auto layer = static_cast<uint32_t>(table.convs.size() + table.linears.size() + i);
    for (const std::string_view suffix : kBatchNormSuffixes) {
      tensors.push_back(
          {formatted("head.bn{}{}", i + 1, suffix), {table.batch_norms[i]}, TensorPart::batch_norm, layer});
    }
  }
  return tensors;
}

uint32_t tensor_position(std::string_view name) {
  const uint32_t layer = take_layer(name);
  if (layer == kElsewhere) return kElsewhere;
  for (uint32_t array = 0; array < kBatchNormSuffixes.size(); ++array) {
    if (name == kBatchNormSuffixes[array].substr(1)) return layer + array;
  }
  return kElsewhere;
}

}  // namespace quintet::tinyruntime
