#include "models/vision/graph_network.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/task.h"
#include "models/pace.h"
#include "models/vision/attention.h"
#include "models/vision/average_pool.h"
#include "models/vision/plan.h"
#include "models/vision/pooling.h"
#include "models/vision/tokens.h"

namespace quintet::vision {
namespace {

using Map = FeatureMap<float>;

class GraphPass final : public Pass {
 public:
  GraphPass(const Kernels& kernels, const Graph& graph, const std::vector<NodeLayer>& layers,
            std::vector<PlannedMap> plan, NodeId last, Map image)
      : kernels_(kernels),
        graph_(graph),
        layers_(layers),
        plan_(std::move(plan)),
        last_(last),
        maps_(graph.nodes.size()),
        task_(run()) {
    maps_[0] = std::move(image);
    pace_.start(task_);
  }
  GraphPass(const GraphPass&) = delete;  // the task refers to its pass

  Result<bool> step() override {
    if (!pace_.step()) return false;
    QUINTET_CHECK(task_.take());
    return true;
  }

  std::vector<float> take() override {
    const Map& y = maps_[last_];
    std::vector<float> values;
    for (size_t p = 0; p < y.positions(); ++p) values.insert(values.end(), y.pixel(p), y.pixel(p) + y.channels);
    return values;
  }

 private:
  Task<Status> run() {
    for (NodeId id = 1; id <= last_; ++id) {
      QUINTET_CO_CHECK(compute(id));
      co_await pace_.spend(work_of(id));
    }
    co_return Status();
  }

  // Multiply-adds, or what takes as long.
  uint64_t work_of(NodeId id) const {
    const Node& node = graph_.nodes[id];
    const uint64_t outputs = uint64_t{plan_[id].height} * plan_[id].width * node.channels;
    const uint64_t taps = uint64_t{node.window.kernel} * node.window.kernel;
    constexpr uint64_t kOfOthers = 16;  // per value, of an operation without weights
    return outputs * (node.op == Op::conv ? taps * graph_.nodes[node.input].channels / node.groups : kOfOthers);
  }

  Status compute(NodeId id) {
    const Node& node = graph_.nodes[id];
    QUINTET_TRY(maps_[id], result_of(id, node));
    for (const NodeId read : {node.input, node.other}) {
      if (read != kNoNode && plan_[read].last_reader == id && read != last_) maps_[read] = Map();
    }
    return {};
  }

  Result<Map> make(NodeId id) const {
    const PlannedMap& plan = plan_[id];
    return Map::make(plan.height, plan.width, graph_.nodes[id].channels, plan.border);
  }

  // The map of a node that is read here for the last time, to be overwritten; otherwise a copy with the border of `id`.
  Result<Map> taken(NodeId from, NodeId id) {
    Map& x = maps_[from];
    if (plan_[from].last_reader == id && x.border == plan_[id].border) return std::move(x);
    QUINTET_TRY(Map copy, make(id));
    for (size_t p = 0; p < x.positions(); ++p) std::copy_n(x.pixel(p), x.channels, copy.pixel(p));
    return copy;
  }

  Result<Map> result_of(NodeId id, const Node& node) {
    const Map& x = maps_[node.input];
    switch (node.op) {
      case Op::image:
        break;
      case Op::conv:
        return convolve(id, node);
      case Op::max_pool:
        return max_pool(kernels_.max_pool_f32, x, plan_[id].border);
      case Op::average_pool:
        return pooled_average(id, node);
      case Op::mean:
        return mean(x);
      case Op::sum:
        return sum(id, node);
      case Op::scale:
        return scale(id, node);
      case Op::layer_norm:
        return layer_norm(id, node);
      case Op::response_norm:
        return response_norm(id, node);
      case Op::embedding:
        return embedded(x, layers_[id].weight(), layers_[id].bias(), node.channels);
      case Op::tokens:
        return tokens_of(x, node, layers_[id].weight(), layers_[id].bias());
      case Op::attention:
        return attend(kernels_, x, node, scratch_.attention);
      case Op::gate:
        return gate(id, node);
      case Op::token:
        return token_at(x, node.first);
      case Op::patch_mean:
        return mean_from(x, node.first);
      case Op::concat:
        return joined(x, maps_[node.other]);
      case Op::merge:
        return merged_pixels(x, plan_[id].border);
      case Op::window_attention:
        return attend_in_windows(kernels_, x, node, layers_[id].weight(), layers_[node.input].bias(),
                                 scratch_.attention);
    }
    return fail(Code::internal, Reason::mismatch, "an image is no result");
  }

  // visit(line) for all lines of a map, shared among threads.
  template <class Visit>
  static void each_line(const Map& y, uint64_t work, Visit visit) {
    const Partition lines = shares_of(y.height, work * y.width * y.channels);
    parallel_for(lines.parts, [&](size_t part, size_t) {
      for (size_t line = lines.begin(part); line < lines.end(part); ++line) visit(line);
    });
  }

  void activate(const Node& node, Map& y) const {
    if (node.activation == Activation::none || is_clamp(node.activation)) return;
    each_line(y, 16,
              [&](size_t line) { kernels_.activate(node.activation, y.pixel(line * y.width), y.width * y.channels); });
  }

  // The addend is overwritten if nothing else reads it.
  Result<Map> convolve(NodeId id, const Node& node) {
    const Map& x = maps_[node.input];
    Map y;
    const float* residual = nullptr;
    if (node.other != kNoNode && node.other != node.input && plan_[node.other].last_reader == id) {
      y = std::move(maps_[node.other]);
      residual = y.at(0, 0);
    } else {
      QUINTET_TRY(y, make(id));
      if (node.other != kNoNode) residual = maps_[node.other].at(0, 0);
    }
    QUINTET_CHECK(layers_[id].convolve(kernels_, node, x, residual, y, scratch_.layer));
    activate(node, y);
    return y;
  }

  Result<Map> pooled_average(NodeId id, const Node& node) {
    QUINTET_TRY(Map y, make(id));
    average_pool(maps_[node.input], node.window, y);
    return y;
  }

  Result<Map> sum(NodeId id, const Node& node) {
    const Map& other = maps_[node.other];
    QUINTET_TRY(Map y, taken(node.input, id));
    const float min = node.activation == Activation::relu ? 0 : -std::numeric_limits<float>::infinity();
    each_line(y, 1, [&](size_t line) {
      float* const to = y.pixel(line * y.width);
      const float* const from = other.pixel(line * y.width);
      for (size_t i = 0; i < y.width * y.channels; ++i) to[i] = std::max(to[i] + from[i], min);
    });
    return y;
  }

  Result<Map> scale(NodeId id, const Node& node) {
    const float* const factors = maps_[node.other].at(0, 0);
    QUINTET_TRY(Map y, taken(node.input, id));
    scale_channels(y, factors, nullptr);
    return y;
  }

  void scale_channels(Map& y, const float* factors, const float* bias) const {
    each_line(y, 1, [&](size_t line) {
      kernels_.scale_channels({.x = {y.pixel(line * y.width), y.channels},
                               .rows = y.width,
                               .cols = y.channels,
                               .factors = factors,
                               .bias = bias});
    });
  }

  // One sum for each channel, over all pixels.
  std::vector<float> sums_of(const Map& x, bool squares) const {
    std::vector<float> sums(x.channels);
    for (size_t line = 0; line < x.height; ++line) {
      kernels_.sum_channels({.x = {x.pixel(line * x.width), x.channels},
                             .rows = x.width,
                             .cols = x.channels,
                             .squares = squares,
                             .sums = sums.data()});
    }
    return sums;
  }

  Result<Map> mean(const Map& x) const {
    std::vector<float> means = sums_of(x, false);
    for (float& sum : means) sum /= static_cast<float>(x.positions());
    return single_pixel(means);
  }

  Result<Map> layer_norm(NodeId id, const Node& node) {
    const Map& x = maps_[node.input];
    QUINTET_TRY(Map y, make(id));
    each_line(y, 8, [&](size_t line) {
      kernels_.layer_norm_rows({.x = {x.pixel(line * x.width), x.channels},
                                .rows = x.width,
                                .cols = x.channels,
                                .gamma = layers_[id].weight().data(),
                                .beta = layers_[id].bias().data(),
                                .epsilon = node.epsilon,
                                .y = {y.pixel(line * y.width), y.channels}});
    });
    return y;
  }

  Result<Map> gate(NodeId id, const Node& node) const {
    const Map& x = maps_[node.input];
    QUINTET_TRY(Map y, make(id));
    each_line(y, 16, [&](size_t line) {
      for (size_t p = line * y.width; p < (line + 1) * y.width; ++p) {
        float* const to = y.pixel(p);
        std::copy_n(x.pixel(p), y.channels, to);
        kernels_.activate(node.activation, to, y.channels);
        std::transform(to, to + y.channels, x.pixel(p) + y.channels, to, std::multiplies());
      }
    });
    return y;
  }

  // x + weight * x * g / mean(g) + bias, where g is the norm of each channel over all pixels.
  Result<Map> response_norm(NodeId id, const Node& node) {
    QUINTET_TRY(Map y, taken(node.input, id));
    std::vector<float> factors = sums_of(y, true);
    double mean = 0;
    for (float& factor : factors) mean += double{factor = std::sqrt(factor)};
    mean /= static_cast<double>(y.channels);
    for (size_t c = 0; c < y.channels; ++c) {
      factors[c] =
          static_cast<float>(1 + double{layers_[id].weight()[c]} * double{factors[c]} / (mean + double{node.epsilon}));
    }
    scale_channels(y, factors.data(), layers_[id].bias().data());
    return y;
  }

  struct Scratch {
    LayerScratch layer;
    AttentionScratch attention;
  };

  const Kernels& kernels_;
  const Graph& graph_;
  const std::vector<NodeLayer>& layers_;
  std::vector<PlannedMap> plan_;
  NodeId last_;            // the node whose map is the output
  std::vector<Map> maps_;  // of each node, while it is needed
  Scratch scratch_;
  Task<Status> task_;
  Pace pace_;
};

}  // namespace

uint64_t GraphNetwork::bytes() const {
  uint64_t sum = 0;
  for (const NodeLayer& layer : layers_) sum += layer.bytes();
  return sum;
}

uint64_t GraphNetwork::work_bytes() const {
  const auto plan = plan_pass(graph_, graph_.reads_text() ? 1 : graph_.input_size, graph_.input_size);
  if (!plan) return 0;
  const auto bytes_of = [&](NodeId id) {
    const uint64_t frame = 2 * (*plan)[id].border + 1;
    return ((*plan)[id].height + frame) * ((*plan)[id].width + frame) * graph_.nodes[id].channels * sizeof(float);
  };
  uint64_t live = bytes_of(0), peak = live;
  for (NodeId id = 1; id < graph_.nodes.size(); ++id) {
    live += bytes_of(id);
    peak = std::max(peak, live);
    for (NodeId read = 0; read < id; ++read) {
      if ((*plan)[read].last_reader == id) live -= bytes_of(read);
    }
  }
  return peak;
}

Result<std::unique_ptr<Pass>> GraphNetwork::start(std::span<const float> image, size_t height, size_t width,
                                                  Output output) const {
  QUINTET_CHECK(check_image(image, height, width));
  QUINTET_TRY(std::vector<PlannedMap> plan, plan_pass(graph_, height, width));
  const auto copy = [](const float* from, size_t count, float* to) { std::copy_n(from, count, to); };
  QUINTET_TRY(Map map, image_map<float>(image, input_channels(), height, width, plan[0].border, copy));
  const NodeId last = output == Output::features ? graph_.features : static_cast<NodeId>(graph_.nodes.size() - 1);
  return std::make_unique<GraphPass>(kernels_, graph_, layers_, std::move(plan), last, std::move(map));
}

}  // namespace quintet::vision
