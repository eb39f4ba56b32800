#include "models/vision/plan.h"

#include <algorithm>
#include <array>

namespace quintet::vision {
namespace {

size_t rounded_up(size_t length, size_t multiple) { return (length + multiple - 1) / multiple; }

// The border that a window needs in its input: as many zeros as before the map, or one less than after it, because a
// feature map has one more there.
size_t border_for(const Zeros& zeros) { return std::max(zeros.before, zeros.after - std::min<size_t>(zeros.after, 1)); }

class Planner {
 public:
  Planner(const Graph& graph, size_t height, size_t width) : graph_(graph), maps_(graph.nodes.size()) {
    maps_[0] = {.height = height, .width = width};
  }

  Result<std::vector<PlannedMap>> plan() {
    for (NodeId id = 1; id < graph_.nodes.size(); ++id) QUINTET_CHECK(size(id));
    for (NodeId id = 1; id < graph_.nodes.size(); ++id) read(id);
    match_addends();
    return std::move(maps_);
  }

 private:
  Status size(NodeId id) {
    const Node& node = graph_.nodes[id];
    const PlannedMap& x = maps_[node.input];
    PlannedMap& y = maps_[id];
    y.height = x.height;
    y.width = x.width;
    switch (node.op) {
      case Op::conv:
      case Op::max_pool:
      case Op::average_pool:
      case Op::subsample: {
        QUINTET_TRY(y.height, outputs(node.window, x.height));
        QUINTET_TRY(y.width, outputs(node.window, x.width));
        break;
      }
      case Op::merge:
        y.height = rounded_up(x.height, 2);
        y.width = rounded_up(x.width, 2);
        break;
      case Op::tokens:
        y.height = 1;
        y.width = x.height * x.width + node.first;
        break;
      case Op::attention:
        if (node.mask == AttentionMask::probe) y.width = 1;
        break;
      case Op::mean:
      case Op::maximum:
      case Op::token:
      case Op::patch_mean:
        y.height = y.width = 1;
        break;
      default:
        break;
    }
    const bool has_addend = node.op == Op::conv && node.other != kNoNode;
    const bool adds = has_addend || node.op == Op::sum;
    if (!adds || (maps_[node.other].height == y.height && maps_[node.other].width == y.width)) return {};
    return input_error(Reason::mismatch, "the network adds maps of {} x {} and {} x {}", y.height, y.width,
                       maps_[node.other].height, maps_[node.other].width);
  }

  static Result<size_t> outputs(const Window& window, size_t length) {
    const Zeros zeros = zeros_of(window, length);
    const size_t padded = length + zeros.before + zeros.after;
    if (padded >= window.kernel) return (padded - window.kernel) / window.stride + 1;
    return input_error(Reason::out_of_range, "the image is too small: {} pixels are left for a window of {}", length,
                       window.kernel);
  }

  void read(NodeId id) {
    const Node& node = graph_.nodes[id];
    maps_[node.input].last_reader = id;
    if (node.other != kNoNode) maps_[node.other].last_reader = id;
    if (node.op != Op::conv && node.op != Op::max_pool) return;
    PlannedMap& x = maps_[node.input];
    for (const size_t length : {x.height, x.width}) {
      x.border = std::max(x.border, border_for(zeros_of(node.window, length)));
    }
  }

  // The kernels find an addend where they find the output, so both have the same border. Each pass over the nodes
  // carries it along a chain of sums.
  void match_addends() {
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId id = 1; id < graph_.nodes.size(); ++id) {
        const Node& node = graph_.nodes[id];
        if (node.op != Op::conv || node.other == kNoNode) continue;
        size_t& own = maps_[id].border;
        size_t& other = maps_[node.other].border;
        changed = changed || own != other;
        own = other = std::max(own, other);
      }
    }
  }

  const Graph& graph_;
  std::vector<PlannedMap> maps_;
};

}  // namespace

Zeros zeros_of(const Window& window, size_t length) {
  const auto& [before, after, same, fills] = window.padding;
  const size_t steps = rounded_up(length, window.stride);
  if (fills) return {0, steps * window.stride - length};
  if (!same) return {before, after};
  const size_t reach = (steps - 1) * window.stride + window.kernel;
  const size_t zeros = reach - std::min(reach, length);
  return {zeros / 2, zeros - zeros / 2};
}

Result<std::vector<PlannedMap>> plan_pass(const Graph& graph, size_t height, size_t width) {
  return Planner(graph, height, width).plan();
}

PassBytes pass_bytes(const Graph& graph, size_t value_bytes) {
  const auto plan = plan_pass(graph, graph.reads_text() ? 1 : graph.input_size, graph.input_size);
  if (!plan) return {};
  const auto bytes_of = [&](NodeId id) {
    const uint64_t frame = 2 * (*plan)[id].border + 1;
    return ((*plan)[id].height + frame) * ((*plan)[id].width + frame) * graph.nodes[id].channels * value_bytes;
  };
  uint64_t live = bytes_of(0), peak = live, largest = live;
  for (NodeId id = 1; id < graph.nodes.size(); ++id) {
    live += bytes_of(id);
    peak = std::max(peak, live);
    largest = std::max(largest, bytes_of(id));
    for (NodeId read = 0; read < id; ++read) {
      if ((*plan)[read].last_reader == id) live -= bytes_of(read);
    }
  }
  return {.image = uint64_t{(*plan)[0].height} * (*plan)[0].width * graph.input_channels() * sizeof(float),
          .maps = peak,
          .largest = largest};
}

}  // namespace quintet::vision
