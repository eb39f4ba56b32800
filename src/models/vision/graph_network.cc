#include "models/vision/graph_network.h"

#include <cmath>
#include <functional>
#include <utility>

#include "models/vision/attention.h"
#include "models/vision/average_pool.h"
#include "models/vision/convolution_pass.h"
#include "models/vision/positions.h"
#include "models/vision/tokens.h"

namespace quintet::vision {
namespace {

using Map = FeatureMap<float>;

class GraphPass final : public ConvolutionPass {
 public:
  using ConvolutionPass::ConvolutionPass;

 private:
  Result<Map> result_of(NodeId id, const Node& node) override {
    const Map& x = input_of(node);
    switch (node.op) {
      case Op::conv:
        return convolve(id, node);
      case Op::average_pool:
        return pooled_average(id, node);
      case Op::mean:
        return mean(x);
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
      case Op::rotate:
        return rotate(id, node);
      case Op::attention:
        return attend(kernels_, x, node, scratch_);
      case Op::gate:
        return gate(id, node);
      case Op::token:
        return token_at(x, node.first);
      case Op::patch_mean:
        return mean_from(x, node.first);
      case Op::merge:
        return merged_pixels(x, plan_[id].border);
      case Op::window_attention:
        return attend_in_windows(kernels_, x, node, layers_[id].weight(), layers_[node.input].bias(), scratch_);
      default:
        return ConvolutionPass::result_of(id, node);
    }
  }

  // Other activations than clamps, which are part of a convolution.
  Result<Map> convolve(NodeId id, const Node& node) {
    QUINTET_TRY(Map y, ConvolutionPass::result_of(id, node));
    if (node.activation == Activation::none || is_clamp(node.activation)) return y;
    each_line(y, 16,
              [&](size_t line) { kernels_.activate(node.activation, y.pixel(line * y.width), y.width * y.channels); });
    return y;
  }

  Result<Map> pooled_average(NodeId id, const Node& node) {
    QUINTET_TRY(Map y, make(id));
    average_pool(maps_[node.input], node.window, y);
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

  // Uses a kernel, because a squeeze and excitation averages large maps.
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

  // Heads of queries and keys, of which the values are left alone.
  Result<Map> rotate(NodeId id, const Node& node) {
    const size_t dim = node.channels / 3 / node.heads;
    const PlannedMap& grid = plan_[node.other];
    if (angles_.size() == 0) {
      QUINTET_TRY(angles_, grid_angles(grid.height, grid.width, dim, double{node.theta}));
    }
    QUINTET_TRY(Map y, taken(node.input, id));
    for (size_t patch = 0; patch < grid.height * grid.width; ++patch) {
      const float* const angles = angles_.data() + patch * dim;
      kernels_.rotate_heads({.x = y.pixel(node.first + patch),
                             .heads = size_t{2} * node.heads,
                             .head_dim = dim,
                             .rope_dim = dim,
                             .cosines = angles,
                             .sines = angles + dim / 2});
    }
    return y;
  }

  AlignedBuffer<float> angles_;  // of the patches, the same in all layers
  AttentionScratch scratch_;
};

}  // namespace

std::unique_ptr<ImageNetwork> make_network(const Kernels& kernels, Graph graph, std::vector<NodeLayer> layers) {
  return std::make_unique<NodeNetwork<GraphPass>>(kernels, std::move(graph), std::move(layers));
}

}  // namespace quintet::vision
