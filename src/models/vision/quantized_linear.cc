#include "models/vision/quantized_linear.h"

#include <algorithm>
#include <vector>

#include "models/packed_projection.h"
#include "models/vision/node_layer.h"
#include "tensor/quantize.h"

namespace quintet::vision {
namespace {

class QuantizedLinear final : public NodeConvolution {
 public:
  QuantizedLinear(size_t outputs, size_t inputs) { layer_.matrix = PackedMatrix(Storage::i8, outputs, inputs, inputs); }

  Status set(std::span<const float> weight, std::span<const float> bias) {
    const size_t inputs = layer_.matrix.cols();
    std::vector<int8_t> row(inputs);
    std::vector<float> scales;
    QUINTET_CHECK(layer_.matrix.reserve());
    for (; !weight.empty(); weight = weight.subspan(inputs)) {
      scales.push_back(quantize_int8(weight.first(inputs), row));
      QUINTET_CHECK(layer_.matrix.append_rows(std::as_bytes(std::span(row)).data(), 1));
    }
    QUINTET_CHECK(layer_.matrix.set_scales(scales));
    QUINTET_CHECK(layer_.bias.resize_uninitialized(bias.size()));
    std::ranges::copy(bias, layer_.bias.data());
    return {};
  }

  uint64_t bytes() const override { return layer_.bytes(); }

  Status apply(const Kernels& kernels, const Node&, const FeatureMap<float>& x, FeatureMap<float>& y,
               const FloatEpilogue& epilogue, LayerScratch& scratch) const override {
    const PackedMatrix& w = layer_.matrix;
    // Tokens that are multiplied together: quantized, they stay in the cache while all weights pass.
    constexpr size_t kBlockBytes = 192 * 1024, kMinRows = 16;
    const size_t block = std::max(kBlockBytes / std::max<size_t>(w.cols(), 1), kMinRows);
    QUINTET_CHECK(scratch.tokens.reserve(w, std::min(block, x.width)));
    const PackedProjection projection(kernels, scratch.tokens, Workers::all);
    const ConstRows rows = {x.pixel(0), x.channels};
    const Rows results = {y.pixel(0), y.channels};
    for (size_t begin = 0, end; begin < x.width; begin = end) {
      end = std::min(begin + block, x.width);
      Epilogue with_addend;
      if (epilogue.residual) with_addend.residual = ConstRows{epilogue.residual, y.channels}.from_row(begin);
      const PackedProduct product = {.layer = layer_, .c = results.from_row(begin), .epilogue = with_addend};
      projection.multiply({rows, begin, end}, {product});
    }
    return {};
  }

 private:
  PackedModule layer_;
};

// Whether a map is a row of tokens.
bool has_tokens(const Graph& graph, NodeId id) {
  for (; id != 0; id = graph.nodes[id].input) {
    if (graph.nodes[id].op == Op::tokens || graph.nodes[id].op == Op::embedding) return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<NodeConvolution>> quantized_linear(const Graph& graph, NodeId id, std::span<const float> weight,
                                                          std::span<const float> bias) {
  const Node& node = graph.nodes[id];
  const bool is_linear = has_tokens(graph, node.input) && node.window.kernel == 1 && node.window.stride == 1 &&
                         node.groups == 1 && !is_clamp(node.activation);
  if (!is_linear) return nullptr;
  auto layer = std::make_unique<QuantizedLinear>(bias.size(), graph.nodes[node.input].channels);
  QUINTET_CHECK(layer->set(weight, bias));
  return layer;
}

}  // namespace quintet::vision
