// Configurations and lists of tensors as image networks, and as those of images and texts side by side. What becomes a
// graph has a plan for images of several sizes, or gives the reason why it has none; small ones are loaded with some
// weights and run. The input is the text of the configuration, which may be empty, a NUL, and a line for each tensor:
// its name and its sizes, parted by spaces.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "architectures/vision/towers.h"
#include "base/checked.h"
#include "base/decimal.h"
#include "kernels/registry.h"
#include "models/vision/graph_network.h"
#include "models/vision/plan.h"

namespace {

using namespace quintet;

constexpr uint64_t kFewValues = 1 << 18;
constexpr uint64_t kFewProducts = 1 << 22;

// The text up to a separator, which is removed with it.
std::string_view cut(std::string_view& text, char separator) {
  const std::string_view front = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), front.size() + 1));
  return front;
}

// As readers give them: names are unique, and the bytes of a tensor can be counted.
std::optional<std::vector<TensorInfo>> tensors_in(std::string_view text) {
  std::vector<TensorInfo> tensors;
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    TensorInfo& info = tensors.emplace_back();
    info.name = cut(line, ' ');
    std::optional<uint64_t> bytes = sizeof(float);
    while (bytes && !line.empty()) {
      const std::optional<uint64_t> size = parse_natural(cut(line, ' '));
      if (!size) return std::nullopt;
      info.shape.push_back(*size);
      bytes = checked_mul(*bytes, *size);
    }
    if (!bytes) return std::nullopt;
    info.bytes = *bytes;
  }
  std::vector<std::string_view> names;
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) return std::nullopt;
  return tensors;
}

void expect_told(const Error& error) {
  if (error.detail.empty() || (error.code != Code::format && error.code != Code::unsupported)) std::abort();
}

// Nodes read those before them, and have what they are computed from.
void check(const vision::Graph& graph) {
  if (graph.nodes.empty() || graph.features >= graph.nodes.size()) std::abort();
  if ((graph.classes == 0) != (graph.features + 1 == graph.nodes.size())) std::abort();
  for (vision::NodeId id = 1; id < graph.nodes.size(); ++id) {
    const vision::Node& node = graph.nodes[id];
    if (node.input >= id || (node.other != vision::kNoNode && node.other >= id)) std::abort();
    if (node.channels == 0 || node.groups == 0 || node.window.stride == 0 || node.window.kernel == 0) std::abort();
    if (graph.nodes[node.input].channels % node.groups != 0 || node.channels % node.groups != 0) std::abort();
  }
}

// Products and values of a pass; nothing if they are many.
bool is_fast(const vision::Graph& graph, const std::vector<vision::PlannedMap>& plan) {
  uint64_t products = 0;
  for (vision::NodeId id = 0; id < graph.nodes.size(); ++id) {
    const vision::Node& node = graph.nodes[id];
    const uint64_t frame = 2 * uint64_t{plan[id].border} + 1;
    const auto pixels = checked_mul(plan[id].height + frame, plan[id].width + frame);
    const auto values = checked_mul(pixels.value_or(UINT64_MAX), node.channels);
    if (!values || *values > kFewValues) return false;
    const uint64_t taps = uint64_t{node.window.kernel} * node.window.kernel;
    const uint64_t inputs = id == 0 ? 1 : graph.nodes[node.input].channels / node.groups;
    // Attention is square in the tokens.
    products += *values * std::max(taps * inputs, uint64_t{plan[id].width});
    if (products > kFewProducts) return false;
  }
  return true;
}

std::unique_ptr<vision::ImageNetwork> load(vision::Graph graph, const std::vector<TensorInfo>& tensors) {
  vision::GraphLoader loader(active_kernels<KernelSet::network>(), std::move(graph), tensors);
  for (const TensorInfo& info : tensors) {
    auto sink = loader.tensor({.info = info, .bytes_exist = true});
    if (!sink) return nullptr;
    if (*sink == nullptr) continue;
    std::vector<float> values(static_cast<size_t>(info.bytes / sizeof(float)));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 31 % 64) / 64;
    if (!(*sink)->write(std::as_bytes(std::span(values))) || !(*sink)->finish()) return nullptr;
  }
  auto network = loader.finish();
  return network ? *std::move(network) : nullptr;
}

void run(const vision::ImageNetwork& network, const vision::Graph& graph, size_t height, size_t width) {
  const std::vector<float> image(size_t{graph.input_channels()} * height * width, 0.5F);
  for (const vision::Output output : {vision::Output::logits, vision::Output::features}) {
    auto pass = network.start(image, height, width, output);
    if (!pass) std::abort();
    const auto values = vision::finish(**pass);
    if (!values) {
      if (values.error().code != Code::input && values.error().code != Code::memory) std::abort();
      continue;
    }
    const vision::NodeId last = static_cast<vision::NodeId>(graph.nodes.size() - 1);
    const vision::NodeId wanted = output == vision::Output::logits ? last : graph.features;
    if (values->size() != graph.nodes[wanted].channels) std::abort();
  }
}

void examine(const vision::Graph& graph, const std::vector<TensorInfo>& tensors) {
  check(graph);
  uint64_t values = 0;
  for (const TensorInfo& info : tensors) values += std::min(info.bytes / sizeof(float), kFewValues);
  std::unique_ptr<vision::ImageNetwork> network;
  if (values < kFewValues) network = load(graph, tensors);
  for (const auto& [height, width] : {std::pair<size_t, size_t>(1, 1), {9, 14}, {32, 32}, {48, 48}, {225, 224}}) {
    const size_t rows = graph.reads_text() ? 1 : height;
    const auto plan = vision::plan_pass(graph, rows, width);
    if (!plan) {
      if (plan.error().code != Code::input || plan.error().detail.empty()) std::abort();
    } else if (network && is_fast(graph, *plan)) {
      run(*network, graph, rows, width);
    }
  }
  if (network) network->work_bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view config_text = cut(text, '\0');
  Json config;
  if (!config_text.empty()) {
    auto json = parse_json(config_text);
    if (!json) return 0;
    config = *std::move(json);
  }
  const auto tensors = tensors_in(text);
  if (!tensors) return 0;
  if (const auto graph = vision::read_graph(config, *tensors)) {
    examine(*graph, *tensors);
  } else {
    expect_told(graph.error());
  }
  for (const auto choice : {vision::TowerChoice::both, vision::TowerChoice::image, vision::TowerChoice::text}) {
    const auto towers = vision::read_towers(config, *tensors, choice);
    if (!towers) {
      expect_told(towers.error());
    } else if (choice != vision::TowerChoice::both) {
      examine(choice == vision::TowerChoice::image ? *towers->image : *towers->text, *tensors);
    }
  }
  return 0;
}
