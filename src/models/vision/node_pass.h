#pragma once
// The base of all passes of image networks: it computes node after node, and frees a map after its last reader.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/task.h"
#include "kernels/kernels.h"
#include "models/pace.h"
#include "models/vision/pass.h"
#include "models/vision/plan.h"

namespace quintet::vision {

// Maps of T. Derived classes define what a node computes.
template <class T>
class NodePass : public Pass {
 public:
  using Value = T;
  using Map = FeatureMap<T>;

  struct Start {
    const Kernels& kernels;
    const Graph& graph;
    std::vector<PlannedMap> plan;
    NodeId last;  // the node whose map is the output
    Map image;
    NodeObserver* observer;  // may be null
  };

  explicit NodePass(Start start)
      : kernels_(start.kernels),
        graph_(start.graph),
        plan_(std::move(start.plan)),
        maps_(graph_.nodes.size()),
        last_(start.last),
        observer_(start.observer),
        task_(run()) {
    maps_[0] = std::move(start.image);
    pace_.start(task_);
  }
  NodePass(const NodePass&) = delete;  // the task refers to its pass

  Result<bool> step() override {
    if (!pace_.step()) return false;
    QUINTET_CHECK(task_.take());
    return true;
  }

  std::vector<float> take() override { return values_of(last_); }

 protected:
  // The map that a convolution writes, and what is added to it: in the same map, in another, or nothing.
  struct Target {
    Map map;
    const T* addend = nullptr;
  };

  virtual Result<Map> result_of(NodeId id, const Node& node) = 0;
  virtual std::vector<float> values_of(NodeId id) const = 0;
  virtual void show(NodeObserver& observer, NodeId id) const = 0;

  const Map& input_of(const Node& node) const { return maps_[node.input]; }

  Result<Map> make(NodeId id) const {
    const PlannedMap& plan = plan_[id];
    return Map::make(plan.height, plan.width, graph_.nodes[id].channels, plan.border);
  }

  // The addend is overwritten if nothing else reads it.
  Result<Target> target_of(NodeId id, const Node& node) {
    Target target;
    const bool adds = node.other != kNoNode;
    if (adds && node.other != node.input && plan_[node.other].last_reader == id) {
      target.map = std::move(maps_[node.other]);
      target.addend = target.map.at(0, 0);
    } else {
      QUINTET_TRY(target.map, make(id));
      if (adds) target.addend = maps_[node.other].at(0, 0);
    }
    return target;
  }

  const Kernels& kernels_;
  const Graph& graph_;
  std::vector<PlannedMap> plan_;
  std::vector<Map> maps_;  // of each node, while it is needed

 private:
  Task<Status> run() {
    if (observer_) show(*observer_, 0);
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
    if (observer_) show(*observer_, id);
    for (const NodeId read : {node.input, node.other}) {
      if (read != kNoNode && plan_[read].last_reader == id && read != last_) maps_[read] = Map();
    }
    return {};
  }

  NodeId last_;
  NodeObserver* observer_;
  Task<Status> task_;
  Pace pace_;
};

// A network whose passes are of the class Run, with the weights of one Run::Layer per node.
template <class Run>
class NodeNetwork final : public ImageNetwork {
 public:
  using Layer = typename Run::Layer;
  using Map = typename Run::Map;

  NodeNetwork(const Kernels& kernels, Graph graph, std::vector<Layer> layers)
      : ImageNetwork(std::move(graph)), kernels_(kernels), layers_(std::move(layers)) {}

  uint64_t bytes() const override {
    uint64_t sum = 0;
    for (const Layer& layer : layers_) sum += layer.bytes();
    return sum;
  }
  uint64_t work_bytes() const override { return pass_bytes(graph(), sizeof(typename Run::Value)).max(); }

  Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width, Output output,
                                      NodeObserver* observer) const override {
    QUINTET_CHECK(check_image(image, height, width));
    QUINTET_TRY(std::vector<PlannedMap> plan, plan_pass(graph(), height, width));
    const auto convert = [this](const float* from, size_t count, auto* to) {
      Run::convert(kernels_, layers_[0], from, count, to);
    };
    QUINTET_TRY(Map map,
                image_map<typename Run::Value>(image, input_channels(), height, width, plan[0].border, convert));
    const NodeId last = output == Output::features ? graph().features : static_cast<NodeId>(graph().nodes.size() - 1);
    return std::make_unique<Run>(
        typename Run::Start{kernels_, graph(), std::move(plan), last, std::move(map), observer}, layers_);
  }

 private:
  const Kernels& kernels_;
  std::vector<Layer> layers_;
};

}  // namespace quintet::vision
