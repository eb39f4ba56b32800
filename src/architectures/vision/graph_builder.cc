#include "architectures/vision/graph_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace quintet::vision {
namespace {

constexpr std::array<std::string_view, 4> kBatchNormSuffixes = {".weight", ".bias", ".running_mean", ".running_var"};

// Larger than in any network, and low enough that the products of sizes stay in range.
constexpr uint64_t kMaxOutputs = 1 << 16;
constexpr uint64_t kMaxKernel = 64;
constexpr size_t kMaxNodes = 1 << 14;
constexpr uint64_t kMaxTokensInFront = 1 << 10;
constexpr uint64_t kMaxTextTokens = 1 << 16;
// The ids of tokens are floats, which are exact up to here.
constexpr uint64_t kMaxVocabulary = 1 << 24;

// Whether the positions are those of one token and of a square grid of patches.
bool is_grid_behind_one(uint64_t positions) {
  const auto side = static_cast<uint64_t>(std::lround(std::sqrt(static_cast<double>(positions - 1))));
  return side != 0 && side * side + 1 == positions;
}

// torch.nn.MultiheadAttention has "in_proj_weight", all others ".weight".
std::string part_of(const std::string& layer, std::string_view part) {
  return formatted("{}{}{}", layer, layer.ends_with('_') ? "" : ".", part);
}

}  // namespace

GraphBuilder::GraphBuilder(const std::vector<TensorInfo>& tensors, std::string prefix, std::string family,
                           uint32_t input_size)
    : tensors_(tensors), lookup_(tensors), prefix_(std::move(prefix)), used_(tensors.size()) {
  graph_.family = std::move(family);
  graph_.input_size = input_size;
  constexpr uint32_t kColors = 3;
  graph_.nodes.push_back({.op = Op::image, .channels = kColors});
}

const TensorInfo* GraphBuilder::find(std::string_view name) const { return lookup_.find(full(name)); }

uint32_t GraphBuilder::size_of(const std::string& conv, size_t axis) const {
  const TensorInfo* const weight = find(conv + ".weight");
  const bool is_known = weight && weight->shape.size() > axis && weight->shape[axis] <= kMaxOutputs;
  return is_known ? static_cast<uint32_t>(weight->shape[axis]) : 0;
}

const TensorInfo* GraphBuilder::take(const std::string& name) {
  const TensorInfo* const info = find(name);
  if (info == nullptr) {
    fail_with(missing_tensor(full(name), "the network needs it"));
  } else {
    used_[static_cast<size_t>(info - tensors_.data())] = true;
  }
  return info;
}

void GraphBuilder::refuse_shape(const TensorInfo& info) {
  fail_with(tensor_error(Code::format, Reason::mismatch, info, "the shape {} does not fit the network",
                         shape_text(info.shape)));
}

const TensorInfo* GraphBuilder::use(const std::string& name, const std::vector<uint64_t>& shape) {
  const TensorInfo* const info = take(name);
  if (info == nullptr) return nullptr;
  const auto fits = [](uint64_t has, uint64_t wants) { return wants == 0 ? has != 0 : has == wants; };
  if (std::ranges::equal(info->shape, shape, fits)) return info;
  refuse_shape(*info);
  return nullptr;
}

void GraphBuilder::use_scale(const std::string& weight, uint64_t channels) {
  if (!has(weight + "_scale")) return;
  use(weight + "_scale", {channels});
  if (has(weight + "_zero_point")) use(weight + "_zero_point", {channels});
}

void GraphBuilder::use_norm(const std::string& norm, uint64_t channels) {
  for (const std::string_view suffix : kBatchNormSuffixes) use(formatted("{}{}", norm, suffix), {channels});
}

NodeId GraphBuilder::add(Node node) {
  if (!status_) return 0;
  if (graph_.nodes.size() == kMaxNodes) fail_with(unsupported_error("the network has more than {} nodes", kMaxNodes));
  graph_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(graph_.nodes.size() - 1);
}

Padding GraphBuilder::padding_of(uint32_t kernel, const ConvOptions& options) const {
  if (options.padding) return *options.padding;
  if (style.same_padding) return {.same = true};
  return {.before = (kernel - 1) / 2, .after = (kernel - 1) / 2};
}

// The batch norm, bias, addend and layer scale of a convolution whose weights are known.
NodeId GraphBuilder::add_weighted(Node node, const ConvNames& names, const ConvOptions& options) {
  if (!names.norm.empty()) {
    use_norm(names.norm, node.channels);
    node.parameters.norm = full(names.norm);
    node.parameters.epsilon = style.epsilon;
  }
  if (!options.layer_scale.empty()) {
    use(options.layer_scale, {node.channels});
    node.parameters.layer_scale = full(options.layer_scale);
  }
  node.parameters.factor = options.factor;
  node.activation = options.activation;
  const bool takes_shortcut = options.shortcut != kNoNode && channels(options.shortcut) == node.channels;
  node.other = takes_shortcut ? options.shortcut : options.addend;
  const bool is_grouped = node.groups != 1 && (node.groups != node.channels || node.groups != channels(node.input));
  if (node.other != kNoNode && is_grouped) {
    fail_with(unsupported_error("{} has groups, and something is added to it", names.conv));
  }
  if (node.other != kNoNode && channels(node.other) != node.channels) {
    fail_with(format_error(Reason::mismatch, 0, "{} gives {} channels, to which {} are added", names.conv,
                           node.channels, channels(node.other)));
  }
  return add(std::move(node));
}

NodeId GraphBuilder::conv(NodeId x, const ConvNames& names, ConvOptions options) {
  const TensorInfo* const weight = use(names.conv + ".weight", {0, 0, 0, 0});
  if (weight == nullptr) return 0;
  const uint64_t out = weight->shape[0], in = weight->shape[1], kernel = weight->shape[2];
  const uint64_t has = channels(x);
  if (out > kMaxOutputs || in > has || has % in != 0 || out % (has / in) != 0 || kernel > kMaxKernel ||
      weight->shape[3] != kernel) {
    refuse_shape(*weight);
    return 0;
  }
  const Padding padding = padding_of(static_cast<uint32_t>(kernel), options);
  if (options.stride == 0 || std::max(padding.before, padding.after) > kernel) {
    fail_with(format_error(Reason::out_of_range, 0, "{} has a window of {} with a stride of {} and a padding of {}",
                           names.conv, kernel, options.stride, std::max(padding.before, padding.after)));
    return 0;
  }
  Node node = {.op = Op::conv, .input = x, .channels = static_cast<uint32_t>(out)};
  node.groups = static_cast<uint32_t>(has / in);
  node.window = {static_cast<uint32_t>(kernel), options.stride, padding};
  use_scale(names.conv + ".weight", out);
  node.parameters.weights = {full(names.conv + ".weight")};
  node.parameters.biases = {std::string()};
  if (has_bias(names.conv)) node.parameters.biases = {use_bias(names.conv, out)};
  return add_weighted(std::move(node), names, options);
}

bool GraphBuilder::has_bias(const std::string& layer) const { return has(part_of(layer, "bias")); }

std::string GraphBuilder::use_bias(const std::string& layer, uint64_t channels) {
  const std::string bias = part_of(layer, "bias");
  use(bias, {channels});
  return full(bias);
}

NodeId GraphBuilder::linear(NodeId x, std::vector<std::string> names, ConvOptions options) {
  Node node = {.op = Op::conv, .input = x};
  uint64_t out = 0;
  for (const std::string& name : names) {
    const std::string matrix = part_of(name, "weight");
    const TensorInfo* const weight = take(matrix);
    if (weight == nullptr) return 0;
    std::vector<uint64_t> shape = weight->shape;
    while (shape.size() > 2 && shape.back() == 1) shape.pop_back();
    // All have the same number of rows: it shows the loader where zeros replace a missing bias.
    const uint64_t before = node.parameters.weights.size();
    if (shape.size() != 2 || shape[0] == 0 || shape[0] > kMaxOutputs / names.size() || shape[1] != channels(x) ||
        out != before * shape[0]) {
      refuse_shape(*weight);
      return 0;
    }
    use_scale(matrix, shape[0]);
    out += shape[0];
    node.parameters.weights.push_back(full(matrix));
    node.parameters.biases.push_back(has_bias(name) ? use_bias(name, shape[0]) : std::string());
  }
  node.channels = static_cast<uint32_t>(out);
  return add_weighted(std::move(node), {.conv = names[0]}, options);
}

NodeId GraphBuilder::max_pool(NodeId x, Window window) {
  return add({.op = Op::max_pool, .input = x, .window = window, .channels = channels(x)});
}

NodeId GraphBuilder::average_pool(NodeId x, Window window) {
  return add({.op = Op::average_pool, .input = x, .window = window, .channels = channels(x)});
}

NodeId GraphBuilder::mean(NodeId x) { return add({.op = Op::mean, .input = x, .channels = channels(x)}); }

NodeId GraphBuilder::squeeze_excite(NodeId x, const std::string& reduce, const std::string& expand,
                                    Activation activation, Activation gate) {
  const NodeId reduced = linear(mean(x), {reduce}, {.activation = activation});
  const NodeId factors = linear(reduced, {expand}, {.activation = gate});
  if (!failed() && channels(factors) != channels(x)) {
    fail_with(format_error(Reason::mismatch, 0, "{} gives {} factors for {} channels", expand, channels(factors),
                           channels(x)));
  }
  return add({.op = Op::scale, .input = x, .other = factors, .channels = channels(x)});
}

NodeId GraphBuilder::sum(NodeId x, NodeId y, Activation activation) {
  if (!failed() && channels(x) != channels(y)) {
    fail_with(format_error(Reason::mismatch, 0, "{} channels are added to {}", channels(y), channels(x)));
  }
  return add({.op = Op::sum, .input = x, .other = y, .channels = channels(x), .activation = activation});
}

NodeId GraphBuilder::layer_norm(NodeId x, const std::string& name, float epsilon) {
  use(name + ".weight", {channels(x)});
  use(name + ".bias", {channels(x)});
  Node node = {.op = Op::layer_norm, .input = x, .channels = channels(x), .epsilon = epsilon};
  node.parameters = {.weights = {full(name + ".weight")}, .biases = {full(name + ".bias")}};
  return add(std::move(node));
}

NodeId GraphBuilder::response_norm(NodeId x, const std::string& weight, const std::string& bias, float epsilon) {
  for (const std::string& name : {weight, bias}) {
    const TensorInfo* const info = take(name);
    if (info != nullptr && info->elements() != channels(x)) refuse_shape(*info);
  }
  Node node = {.op = Op::response_norm, .input = x, .channels = channels(x), .epsilon = epsilon};
  node.parameters = {.weights = {full(weight)}, .biases = {full(bias)}};
  return add(std::move(node));
}

NodeId GraphBuilder::embedding(const std::string& table, const std::string& positions) {
  const TensorInfo* const rows = use(table, {0, 0});
  if (rows == nullptr) return 0;
  const uint64_t width = rows->shape[1];
  const TensorInfo* const places = use(positions, {0, width});
  if (places == nullptr) return 0;
  if (rows->shape[0] > kMaxVocabulary || width > kMaxOutputs) refuse_shape(*rows);
  if (places->shape[0] > kMaxTextTokens) refuse_shape(*places);
  graph_.nodes[0].channels = 1;
  graph_.input_size = static_cast<uint32_t>(places->shape[0]);
  Node node = {.op = Op::embedding, .input = image(), .channels = static_cast<uint32_t>(width)};
  node.parameters = {.weights = {full(table)}, .biases = {full(positions)}};
  return add(std::move(node));
}

NodeId GraphBuilder::tokens(NodeId x, std::vector<std::string> front, const std::string& positions, Resizing resizing) {
  Node node = {.op = Op::tokens, .input = x, .channels = channels(x), .resizing = resizing};
  for (const std::string& name : front) {
    const TensorInfo* const info = take(name);
    if (info == nullptr) return 0;
    if (info->shape.empty() || info->shape.back() != node.channels) refuse_shape(*info);
    if (info->elements() == 0 || info->elements() / node.channels > kMaxTokensInFront) refuse_shape(*info);
    node.first += static_cast<uint32_t>(info->elements() / node.channels);
    node.parameters.weights.push_back(full(name));
  }
  if (positions.empty()) return add(std::move(node));
  const TensorInfo* const info = take(positions);
  if (info == nullptr) return 0;
  if (info->shape.empty() || info->shape.back() != node.channels || info->elements() == 0) {
    refuse_shape(*info);
    return 0;
  }
  if (resizing != Resizing::none && !is_grid_behind_one(info->elements() / node.channels)) refuse_shape(*info);
  node.parameters.biases.push_back(full(positions));
  return add(std::move(node));
}

NodeId GraphBuilder::attention(NodeId x, uint32_t heads, AttentionMask mask) {
  const uint32_t width = channels(x) / 3;
  if (!failed() && (heads == 0 || channels(x) % 3 != 0 || width % heads != 0)) {
    fail_with(format_error(Reason::mismatch, 0, "{} attention heads do not divide {} features", heads, width));
  }
  return add({.op = Op::attention, .input = x, .channels = width, .heads = heads, .mask = mask});
}

NodeId GraphBuilder::rotate(NodeId x, NodeId grid, uint32_t heads, uint32_t front, float theta) {
  if (!failed() && (heads == 0 || channels(x) % 3 != 0 || channels(x) / 3 % (4 * uint64_t{heads}) != 0)) {
    fail_with(format_error(Reason::mismatch, 0, "{} attention heads of {} features are not turned in two directions",
                           heads, channels(x) / 3));
  }
  Node node = {.op = Op::rotate, .input = x, .other = grid, .channels = channels(x), .heads = heads, .theta = theta};
  node.first = front;
  return add(std::move(node));
}

NodeId GraphBuilder::gate(NodeId x, Activation activation) {
  if (!failed() && channels(x) % 2 != 0) {
    fail_with(format_error(Reason::mismatch, 0, "a gate of {} channels", channels(x)));
  }
  return add({.op = Op::gate, .input = x, .channels = channels(x) / 2, .activation = activation});
}

NodeId GraphBuilder::token(NodeId x, uint32_t index) {
  return add({.op = Op::token, .input = x, .channels = channels(x), .first = index});
}

NodeId GraphBuilder::patch_mean(NodeId x, uint32_t first) {
  return add({.op = Op::patch_mean, .input = x, .channels = channels(x), .first = first});
}

NodeId GraphBuilder::concat(NodeId x, NodeId y) {
  return add({.op = Op::concat, .input = x, .other = y, .channels = channels(x) + channels(y)});
}

NodeId GraphBuilder::merge(NodeId x) { return add({.op = Op::merge, .input = x, .channels = 4 * channels(x)}); }

NodeId GraphBuilder::window_attention(NodeId x, uint32_t heads, uint32_t side, uint32_t shift,
                                      const std::string& bias_table) {
  const uint32_t width = channels(x) / 3;
  const bool divides = heads != 0 && channels(x) % 3 == 0 && width % heads == 0;
  if (!failed() && (!divides || side == 0 || side > kMaxKernel)) {
    fail_with(
        format_error(Reason::mismatch, 0, "{} attention heads of {} features in windows of {}", heads, width, side));
    return 0;
  }
  const uint64_t distances = 2 * uint64_t{side} - 1;
  use(bias_table, {distances * distances, heads});
  Node node = {.op = Op::window_attention, .input = x, .channels = width, .heads = heads, .side = side, .shift = shift};
  node.parameters.weights = {full(bias_table)};
  return add(std::move(node));
}

NodeId GraphBuilder::classifier(NodeId features, const std::string& name) {
  if (has(name + ".weight")) linear(features, {name});
  return features;
}

void GraphBuilder::ignore(std::string_view ending) { ignored_.emplace_back(ending); }

// A tensor that is left over belongs to a computation that this network does not have.
Result<Graph> GraphBuilder::finish(NodeId features) && {
  QUINTET_CHECK(std::move(status_));
  graph_.features = features;
  const bool has_classifier = features + 1 != graph_.nodes.size();
  graph_.classes = has_classifier ? graph_.nodes.back().channels : 0;
  ignore("num_batches_tracked");
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const std::string& name = tensors_[i].name;
    const auto ends_name = [&](const std::string& ending) { return name.ends_with(ending); };
    const auto begins_name = [&](const std::string& beginning) { return name.starts_with(beginning); };
    if (used_[i] || std::ranges::any_of(ignored_, ends_name) || std::ranges::any_of(left_out_, begins_name)) continue;
    return unsupported_error("tensor \"{}\" is not one of a {}", name, graph_.family);
  }
  return std::move(graph_);
}

}  // namespace quintet::vision
