#include <algorithm>
#include <utility>

#include "models/tensor_sinks.h"
#include "models/vision/graph_network.h"
#include "tensor/batch_norm_folding.h"
#include "tensor/finite.h"

namespace quintet::vision {
namespace {

constexpr std::string_view kNormSuffixes[] = {".weight", ".bias", ".running_mean", ".running_var"};

// A weight, and its quantization if it is int8.
constexpr std::string_view kWeightSuffixes[] = {"", "_scale", "_zero_point"};

// Multiplies the rows of a weight, one for each channel, and its bias.
void scale_rows(std::span<float> weight, std::span<float> bias, std::span<const float> scales, float factor) {
  const size_t per_channel = weight.size() / bias.size();
  for (size_t channel = 0; channel < bias.size(); ++channel) {
    const float of_channel = scales.empty() ? factor : factor * scales[channel];
    for (float& w : weight.subspan(channel * per_channel, per_channel)) w *= of_channel;
    bias[channel] *= of_channel;
  }
}

}  // namespace

GraphLoader::GraphLoader(const Kernels& kernels, Graph graph, const std::vector<TensorInfo>& tensors,
                         MakeLayer* make_layer)
    : kernels_(kernels),
      graph_(std::move(graph)),
      arrays_(graph_.nodes.size()),
      layers_(graph_.nodes.size()),
      make_layer_(make_layer) {
  const TensorLookup lookup(tensors);
  for (NodeId id = 0; id < graph_.nodes.size(); ++id) {
    const Node& node = graph_.nodes[id];
    const auto expect = [&](std::string name) {
      if (!name.empty() && lookup.find(name)) arrays_[id].names.push_back(std::move(name));
    };
    for (const std::string& name : node.parameters.weights) {
      for (const std::string_view suffix : kWeightSuffixes) expect(formatted("{}{}", name, suffix));
    }
    for (const std::string& name : node.parameters.biases) expect(name);
    expect(node.parameters.layer_scale);
    if (!node.parameters.norm.empty()) {
      for (const std::string_view suffix : kNormSuffixes) expect(formatted("{}{}", node.parameters.norm, suffix));
    }
    arrays_[id].values.resize(arrays_[id].names.size());
  }
}

Result<std::unique_ptr<ByteSink>> GraphLoader::tensor(const TensorArrival& tensor) {
  QUINTET_CHECK(fold_arrived());
  for (NodeId id = 0; id < arrays_.size(); ++id) {
    Arrays& arrays = arrays_[id];
    const auto name = std::ranges::find(arrays.names, tensor.info.name);
    if (name == arrays.names.end()) continue;
    arriving_ = id;
    ++arrays.arrived;
    return tensor_sink<SourceTypes::plain>(tensor, arrays.values[static_cast<size_t>(name - arrays.names.begin())]);
  }
  return nullptr;
}

std::span<const float> GraphLoader::values_of(NodeId node, std::string_view name) const {
  const Arrays& arrays = arrays_[node];
  for (size_t i = 0; i < arrays.names.size(); ++i) {
    if (arrays.names[i] == name) return arrays.values[i].span();
  }
  return {};
}

void GraphLoader::add_weight(NodeId node, const std::string& name, std::vector<float>& weight) const {
  const std::span<const float> values = values_of(node, name), scales = values_of(node, name + "_scale"),
                               zero_points = values_of(node, name + "_zero_point");
  const size_t begin = weight.size();
  weight.insert(weight.end(), values.begin(), values.end());
  if (scales.empty()) return;
  const size_t per_channel = values.size() / scales.size();
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = i / per_channel;
    const float zero_point = zero_points.empty() ? 0 : zero_points[channel];
    weight[begin + i] = (values[i] - zero_point) * scales[channel];
  }
}

Status GraphLoader::check_finite(NodeId id) const {
  for (const std::string& name : arrays_[id].names) {
    if (all_finite(values_of(id, name))) continue;
    return in_tensor(fail(Code::format, Reason::out_of_range, "the tensor has values that are not finite"), name);
  }
  return {};
}

// The steps after a convolution are folded into it at inference.
void GraphLoader::fold_followers(NodeId id, std::span<float> weight, std::span<float> bias) const {
  const Parameters& parameters = graph_.nodes[id].parameters;
  if (!parameters.norm.empty()) {
    const auto of_norm = [&](size_t i) { return values_of(id, formatted("{}{}", parameters.norm, kNormSuffixes[i])); };
    fold_batch_norm({.gamma = of_norm(0),
                     .beta = of_norm(1),
                     .mean = of_norm(2),
                     .variance = of_norm(3),
                     .epsilon = parameters.epsilon},
                    weight, bias);
  }
  const std::span<const float> scales = values_of(id, parameters.layer_scale);
  if (!scales.empty() || parameters.factor != 1) scale_rows(weight, bias, scales, parameters.factor);
}

Status GraphLoader::fold(NodeId id) {
  QUINTET_CHECK(check_finite(id));
  const Node& node = graph_.nodes[id];
  const Parameters& parameters = node.parameters;
  if (node.op == Op::embedding) {
    std::vector<AlignedBuffer<float>>& values = arrays_[id].values;
    layers_[id] = NodeLayer::of_table(std::move(values.front()), std::move(values.back()));
    return {};
  }
  std::vector<float> weight, bias;
  for (const std::string& name : parameters.weights) add_weight(id, name, weight);
  for (const std::string& name : parameters.biases) {
    const std::span<const float> values = values_of(id, name);
    bias.insert(bias.end(), values.begin(), values.end());
    // A name may be missing only for a convolution, whose rows are all of one length.
    if (node.op == Op::conv && name.empty()) bias.resize(bias.size() + node.channels / parameters.biases.size());
  }
  if (node.op == Op::conv) fold_followers(id, weight, bias);
  if (!all_finite(weight) || !all_finite(bias)) {
    return in_tensor(
        fail(Code::format, Reason::out_of_range, "a weight divided by its batch norm's deviation is not finite"),
        parameters.weights.front());
  }
  if (make_layer_ && node.op == Op::conv) {
    QUINTET_TRY(auto made, make_layer_(graph_, id, weight, bias));
    layers_[id] = NodeLayer(std::move(made));
  }
  if (!layers_[id].convolves()) {
    QUINTET_TRY(layers_[id], NodeLayer::make(node, graph_.nodes[node.input].channels, weight, bias));
  }
  return {};
}

// The node of the last tensor, if that was its last.
Status GraphLoader::fold_arrived() {
  if (!arriving_) return {};
  const NodeId id = *arriving_;
  arriving_.reset();
  if (arrays_[id].arrived != arrays_[id].names.size()) return {};
  QUINTET_CHECK(fold(id));
  arrays_[id] = Arrays();
  return {};
}

Result<std::unique_ptr<ImageNetwork>> GraphLoader::finish() {
  QUINTET_CHECK(fold_arrived());
  return make_network(kernels_, std::move(graph_), std::move(layers_));
}

}  // namespace quintet::vision
