#include "runtime/convert/calibration/calibrator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "architectures/resnet/graph.h"
#include "kernels/registry.h"
#include "runtime/convert/calibration/histogram.h"
#include "tensor/finite.h"

namespace quintet {
namespace {

class MinMaxObserver final : public Observer {
 public:
  void add(std::span<const float> values) override {
    for (const float value : values) range_.include(value);
  }
  ActivationQuantization quantization() const override { return range_.quantization(); }

 private:
  ActivationRange range_;
};

class HistogramObserver final : public Observer {
 public:
  void add(std::span<const float> values) override { histogram_.add(values); }
  ActivationQuantization quantization() const override { return histogram_.best_range().quantization(); }

 private:
  Histogram histogram_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(ObserverKind kind) {
  if (kind == ObserverKind::histogram) return std::make_unique<HistogramObserver>();
  return std::make_unique<MinMaxObserver>();
}

ActivationRecorder::Observers& ActivationRecorder::observers(vision::ActivationSite::Kind kind) {
  switch (kind) {
    case vision::ActivationSite::Kind::conv:
      return convs_;
    case vision::ActivationSite::Kind::linear:
      return linears_;
    case vision::ActivationSite::Kind::entry:
      break;
  }
  return entries_;
}

void ActivationRecorder::observe(vision::ActivationSite site, std::span<const float> values) {
  if (!status_) return;
  if (!all_finite(values)) {
    const char* const what = site.kind == vision::ActivationSite::Kind::conv     ? "convolution "
                             : site.kind == vision::ActivationSite::Kind::linear ? "linear layer "
                                                                                 : "activation ";
    status_ =
        input_error(Reason::out_of_range,
                    "{}{} computes values that are not finite, so the network cannot be quantized", what, site.index);
    return;
  }
  Observers& list = observers(site.kind);
  if (list.size() <= site.index) list.resize(site.index + 1);
  std::unique_ptr<Observer>& observer = list[site.index];
  if (observer == nullptr) observer = make_observer(kind_);
  observer->add(values);
}

using vision::FloatNetwork;
using vision::FloatWeights;

Result<Calibrator> Calibrator::make(LayerTable table, const FloatWeights& weights, ObserverKind kind) {
  table.kind = NetworkKind::vanilla;
  QUINTET_TRY(FloatNetwork network, FloatNetwork::make(active_kernels<KernelSet::calibration>(), table, weights));
  Calibrator calibrator(std::move(table), std::move(network), kind);
  QUINTET_TRY(calibrator.convs_, extents(weights.convs));
  QUINTET_TRY(calibrator.linears_, extents(weights.linears));
  return calibrator;
}

Result<std::vector<Calibrator::Extent>> Calibrator::extents(const std::vector<FloatWeights::Layer>& layers) {
  const auto largest = [](std::span<const float> values) {
    float max = 0;
    for (const float value : values) max = std::max(max, std::abs(value));
    return max;
  };
  std::vector<Extent> result;
  for (const FloatWeights::Layer& layer : layers) {
    if (!all_finite(layer.weight) || !all_finite(layer.bias)) {
      return input_error(Reason::out_of_range, "the weights are not finite and cannot be quantized");
    }
    result.push_back({.weight = largest(layer.weight), .bias = largest(layer.bias)});
  }
  return result;
}

Status Calibrator::observe(std::span<const float> image, size_t height, size_t width) {
  if (!all_finite(image)) {
    return input_error(Reason::out_of_range, "an image has values that are not finite");
  }
  QUINTET_CHECK(network_.observe(image, height, width, recorder_));
  QUINTET_CHECK(recorder_.status());
  ++images_;
  return {};
}

// Uses the full range -127..127. A bias must fit 30 bits, so that its sum with a dot product fits an int32; so weights
// that are almost zero are stored more coarsely than possible.
StaticQuantization::Layer Calibrator::quantized(const Extent& extent, const ActivationQuantization& input) {
  const double for_weights = double{extent.weight} / 127;
  const double for_biases = double{extent.bias} / (double{input.scale} * (1 << 30));
  const float scale = static_cast<float>(std::max(for_weights, for_biases));
  const float weight_scale = std::max(scale, std::numeric_limits<float>::epsilon());
  return {.weight_scale = weight_scale, .bias_scale = weight_scale * input.scale};
}

Result<StaticQuantization> Calibrator::quantization() const {
  if (images_ == 0) return input_error(Reason::missing, "static quantization needs calibration images");
  StaticQuantization result{.table = table_, .convs = {}, .linears = {}};
  LayerTable& table = result.table;
  table.kind = NetworkKind::sq8;
  table.asymmetric = true;  // as in every statically quantized file
  for (size_t i = 0; i < table.convs.size(); ++i) table.convs[i].output = recorder_.conv(i);
  for (size_t i = 0; i < table.linears.size(); ++i) table.linears[i].output = recorder_.linear(i);
  table.activations = activations(table);

  // Convolutions come first, linear layers last.
  const std::vector<ActivationQuantization> inputs = layer_inputs(table, network_.graph());
  for (const Extent& extent : convs_) result.convs.push_back(quantized(extent, inputs[result.convs.size()]));
  for (const Extent& extent : linears_) {
    result.linears.push_back(quantized(extent, inputs[convs_.size() + result.linears.size()]));
  }
  return result;
}

// A reader only uses some of the entries (docs/formats/tinyruntime.md, "Values"). The others belong to the observers of
// the reference exporter, in the order of its network's layers. They repeat scales that are also stored with the
// layers, and are written as the exporter writes them.
std::vector<ActivationQuantization> Calibrator::activations(const LayerTable& table) const {
  const ResNetGraph& graph = network_.graph();
  const ActivationQuantization stem = table.convs[0].output;
  std::vector<ActivationQuantization> entries = {recorder_.entry(0), stem, stem};  // input, stem, max pooling
  for (const ResNetBlock& block : graph.blocks) {
    const uint32_t end = block.first_conv + block.conv_count + (block.downsample ? 1 : 0);
    for (uint32_t conv = block.first_conv; conv < end; ++conv) entries.push_back(table.convs[conv].output);
    entries.push_back(recorder_.entry(block.sum_activation));
  }
  const auto append = [&](size_t count, const ActivationQuantization& quantization) {
    entries.insert(entries.end(), count, quantization);
  };
  append(2, entries.back());  // pooled: maximum and average, or average and its flattening
  if (graph.tail == ResNetTail::concat) {
    append(2, recorder_.entry(graph.concatenation_activation()));  // and its flattening
    append(2, recorder_.entry(graph.linear_activation(0)));        // batch norm, dropout
    append(1, table.linears[0].output);
    append(2, recorder_.entry(graph.linear_activation(1)));
  }
  append(1, table.linears.back().output);
  return entries;
}

}  // namespace quintet
