#pragma once
// A ResNet of tinyRuntime, of any kind.

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "architectures/resnet/graph.h"
#include "architectures/resnet/tensors.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/model_sink.h"
#include "kernels/kernels.h"
#include "models/tensor_sinks.h"
#include "models/vision/feature_map.h"
#include "models/vision/pass.h"
#include "tensor/batch_norm_folding.h"

namespace quintet::vision {

// Observes what a network computes.
//
// The stages in order: "stem" with its pooling, each "block"; statically quantized networks also show "input" and the
// steps of the tail: "pooled", "concat", "fc0_in", "fc0_out", "fc1_in", "fc1_out". Values are
// [channels][height][width].
class StageObserver {
 public:
  virtual ~StageObserver() = default;
  virtual void see_floats(std::string_view, std::span<const float>) {}
  // For statically quantized networks.
  virtual void see_bytes(std::string_view, const ActivationQuantization&, std::span<const uint8_t>) {}
};

// Activations with a scale of their own in a statically quantized network (docs/formats/tinyruntime.md, "Values").
struct ActivationSite {
  enum class Kind : uint8_t {
    entry,   // LayerTable::activations[index]: the input, a block's sum, the inputs of the tail's layers
    conv,    // the output of LayerTable::convs[index]
    linear,  // the output of LayerTable::linears[index]
  };
  Kind kind;
  uint32_t index;
};

// For calibration.
class ActivationObserver {
 public:
  virtual ~ActivationObserver() = default;
  // In the order of computation. If a ReLU follows, the values are those after it, because the quantized network clamps
  // there.
  virtual void observe(ActivationSite site, std::span<const float> values) = 0;
};

// A ResNet of any kind. It is created without weights, which arrive through sinks.
class Network : public ImageNetwork {
 public:
  const ResNetGraph& graph() const { return graph_; }
  uint32_t input_channels() const override { return input_channels_; }
  uint32_t classes() const override { return classes_; }
  uint32_t usual_input_size() const override { return graph_.usual_input_size(); }

  // Returns the sink for the payload of a part. The network must not move until the sink is finished.
  virtual Result<std::unique_ptr<ByteSink>> sink(const ResNetTensor& part, const TensorArrival& tensor) = 0;

  // UNSUPPORTED for features.
  Result<std::unique_ptr<Pass>> start(std::span<const float> image, size_t height, size_t width,
                                      Output output) const override;

  // All steps at once. The observer, if there is one, sees each stage.
  Result<std::vector<float>> logits(std::span<const float> image, size_t height, size_t width,
                                    StageObserver* observer = nullptr) const;

 protected:
  Network(ResNetGraph graph, const LayerTable& table);

  // Requires a non-empty image with as many values as its sizes imply.
  virtual Result<std::unique_ptr<Pass>> begin(std::span<const float> image, size_t height, size_t width,
                                              StageObserver* observer) const = 0;

 private:
  ResNetGraph graph_;
  uint32_t input_channels_ = 0;
  uint32_t classes_ = 0;
};

// A batch norm of the tail; those after convolutions are folded into them.
struct TailNorm {
  std::array<AlignedBuffer<float>, kBatchNormSuffixes.size()> arrays;  // gamma, beta, mean, variance: in file order

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const AlignedBuffer<float>& array : arrays) sum += array.capacity() * sizeof(float);
    return sum;
  }

  // In double, except for the two sums, which are in float (docs/formats/tinyruntime.md, "Arithmetic").
  void apply(std::span<float> x) const {
    const auto& [gamma, beta, mean, variance] = arrays;
    for (size_t c = 0; c < x.size(); ++c) {
      const double deviation = std::sqrt(double{variance[c] + kBatchNormEpsilon});
      x[c] = static_cast<float>(double{x[c] - mean[c]} / deviation * double{gamma[c]} + double{beta[c]});
    }
  }
};

template <class Layer>
struct NetworkLayers {
  std::vector<Layer> convs;
  std::vector<Layer> linears;
  std::vector<TailNorm> norms;
};

// A network whose layers are all of the same kind: FloatConvolution, DynamicConvolution or StaticConvolution.
template <class Layer>
class LayeredNetwork : public Network {
 public:
  // make_layer(ConvLayer, index) returns a layer without weights; convolutions are numbered first, then linear layers.
  template <class MakeLayer>
  LayeredNetwork(const Kernels& kernels, ResNetGraph graph, const LayerTable& table, MakeLayer make_layer)
      : Network(std::move(graph), table), kernels_(&kernels) {
    size_t index = 0;
    for (const ConvLayer& conv : table.convs) layers_.convs.push_back(make_layer(conv, index++));
    for (const LinearLayer& linear : table.linears) {
      layers_.linears.push_back(make_layer(as_convolution(linear), index++));
    }
    layers_.norms.resize(table.batch_norms.size());
  }

  uint64_t bytes() const override {
    uint64_t sum = 0;
    for (const Layer& conv : layers_.convs) sum += conv.bytes();
    for (const Layer& linear : layers_.linears) sum += linear.bytes();
    for (const TailNorm& norm : layers_.norms) sum += norm.bytes();
    return sum;
  }

  Result<std::unique_ptr<ByteSink>> sink(const ResNetTensor& part, const TensorArrival& tensor) override {
    if (part.part == ResNetPart::batch_norm) {
      return tensor_sink<SourceTypes::network>(tensor, layers_.norms[part.layer].arrays[part.array]);
    }
    const size_t convs = layers_.convs.size();
    Layer& layer = part.layer < convs ? layers_.convs[part.layer] : layers_.linears[part.layer - convs];
    return part.part == ResNetPart::weight ? layer.weight_sink(tensor) : layer.bias_sink(tensor);
  }

 protected:
  const Kernels* kernels_;
  NetworkLayers<Layer> layers_;
};

// Loads a network from the tensors of a tinyRuntime file, whose values go directly to their final place.
class NetworkLoader {
 public:
  explicit NetworkLoader(const Kernels& kernels) : kernels_(&kernels) {}

  // The table of a ResNet of any kind; INPUT for others.
  Status begin(const LayerTable& table);
  // Returns the sink for the next tensor of resnet_tensors(table).
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor);
  // After the last tensor.
  Result<std::unique_ptr<Network>> finish();

 private:
  const Kernels* kernels_;
  std::vector<ResNetTensor> tensors_;
  std::unique_ptr<Network> network_;
  size_t next_ = 0;  // of the tensors
};

}  // namespace quintet::vision
