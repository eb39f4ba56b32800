#include "runtime/convert/calibration/calibrator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "formats/tinyruntime/check.h"
#include "kernels/registry.h"
#include "models/vision/table_loader.h"
#include "runtime/convert/calibration/histogram.h"
#include "tensor/finite.h"

namespace quintet {
namespace {

using SiteKind = vision::ActivationSite::Kind;

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

Result<float> largest_value(std::span<const float> values) {
  if (!all_finite(values)) {
    return input_error(Reason::out_of_range, "the weights are not finite and cannot be quantized");
  }
  float max = 0;
  for (const float value : values) max = std::max(max, std::abs(value));
  return max;
}

}  // namespace

std::unique_ptr<Observer> make_observer(ObserverKind kind) {
  if (kind == ObserverKind::histogram) return std::make_unique<HistogramObserver>();
  return std::make_unique<MinMaxObserver>();
}

ActivationRecorder::ActivationRecorder(ObserverKind kind, std::vector<vision::ActivationSite> sites)
    : sites_(std::move(sites)), observers_(sites_.size()) {
  for (size_t i = 0; i < sites_.size(); ++i) {
    if (sites_[i].kind != SiteKind::none) observers_[i] = make_observer(kind);
  }
}

void ActivationRecorder::see_floats(vision::NodeId node, const vision::FeatureMap<float>& map) {
  if (!status_ || observers_[node] == nullptr) return;
  const std::vector<float> values = vision::planes_of<float>(map, std::identity());
  if (all_finite(values)) return observers_[node]->add(values);
  const auto& [kind, index] = sites_[node];
  const char* const what = kind == SiteKind::conv     ? "convolution "
                           : kind == SiteKind::linear ? "linear layer "
                                                      : "activation ";
  status_ = input_error(Reason::out_of_range,
                        "{}{} computes values that are not finite, so the network cannot be quantized", what, index);
}

ActivationQuantization ActivationRecorder::at(vision::ActivationSite site) const {
  return observers_[static_cast<size_t>(std::ranges::find(sites_, site) - sites_.begin())]->quantization();
}

Result<Calibrator> Calibrator::make(LayerTable table, std::span<const std::vector<float>> values, ObserverKind kind) {
  table.kind = NetworkKind::vanilla;
  QUINTET_TRY(tinyruntime::Network layout, tinyruntime::checked_network(table));
  vision::TableGraph graph = graph_of(table, layout, vision::Sums::in_nodes);
  std::vector<tinyruntime::NetworkTensor> tensors = network_tensors(table, layout);
  if (values.size() != tensors.size()) {
    return input_error(Reason::mismatch, "the network has {} tensors, but {} were given", tensors.size(),
                       values.size());
  }
  Calibrator calibrator(table, std::move(layout), ActivationRecorder(kind, graph.sites));
  calibrator.extents_.resize(table.convs.size() + table.linears.size());
  std::vector<vision::NodeLayer> layers = float_layers(table, graph);
  vision::TableLoader<vision::ConvolutionPass> loader(active_kernels<KernelSet::calibration>(), std::move(graph),
                                                      std::move(layers), tensors);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const tinyruntime::NetworkTensor& tensor = tensors[i];
    if (values[i].size() != tensor.elements()) {
      return input_error(Reason::mismatch, "{} has {} values, but {} were given", tensor.name, tensor.elements(),
                         values[i].size());
    }
    if (tensor.part != tinyruntime::TensorPart::batch_norm) {
      Extent& extent = calibrator.extents_[tensor.layer];
      const bool is_weight = tensor.part == tinyruntime::TensorPart::weight;
      QUINTET_TRY((is_weight ? extent.weight : extent.bias), largest_value(values[i]));
    }
    TensorInfo info;
    info.shape = tensor.shape;
    QUINTET_TRY(const std::unique_ptr<ByteSink> sink, loader.tensor({.info = info, .bytes_exist = true}));
    QUINTET_CHECK(sink->write(std::as_bytes(std::span(values[i]))));
    QUINTET_CHECK(sink->finish());
  }
  QUINTET_TRY(calibrator.network_, loader.finish());
  return calibrator;
}

Status Calibrator::observe(std::span<const float> image, size_t height, size_t width) {
  if (!all_finite(image)) {
    return input_error(Reason::out_of_range, "an image has values that are not finite");
  }
  QUINTET_CHECK(network_->logits(image, height, width, &recorder_));
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
  StaticQuantization result{.table = table_, .layers = {}};
  LayerTable& table = result.table;
  table.kind = NetworkKind::sq8;
  table.asymmetric = true;  // as in every statically quantized file
  for (uint32_t i = 0; i < table.convs.size(); ++i) table.convs[i].output = recorder_.at({SiteKind::conv, i});
  for (uint32_t i = 0; i < table.linears.size(); ++i) table.linears[i].output = recorder_.at({SiteKind::linear, i});
  table.activations = activations(table);
  const std::vector<ActivationQuantization> inputs = layer_inputs(table, layout_);
  for (size_t i = 0; i < extents_.size(); ++i) result.layers.push_back(quantized(extents_[i], inputs[i]));
  return result;
}

// A reader only uses some of the entries (docs/formats/tinyruntime.md, "Values"). The others belong to the observers of
// the reference exporter, in the order of its network's layers. They repeat scales that are also stored with the
// layers, and are written as the exporter writes them.
std::vector<ActivationQuantization> Calibrator::activations(const LayerTable& table) const {
  const auto entry = [this](uint32_t index) { return recorder_.at({SiteKind::entry, index}); };
  const ActivationQuantization stem = table.convs[0].output;
  std::vector<ActivationQuantization> entries = {entry(0), stem, stem};  // input, stem, max pooling
  for (const tinyruntime::Block& block : layout_.blocks) {
    const uint32_t end = block.first_conv + block.conv_count + (block.downsample ? 1 : 0);
    for (uint32_t conv = block.first_conv; conv < end; ++conv) entries.push_back(table.convs[conv].output);
    entries.push_back(entry(block.sum_activation));
  }
  const auto append = [&](size_t count, const ActivationQuantization& quantization) {
    entries.insert(entries.end(), count, quantization);
  };
  append(2, entries.back());  // pooled: maximum and average, or average and its flattening
  if (layout_.tail == tinyruntime::Tail::concat) {
    append(2, entry(layout_.concatenation_activation()));  // and its flattening
    append(2, entry(layout_.linear_activation(0)));        // batch norm, dropout
    append(1, table.linears[0].output);
    append(2, entry(layout_.linear_activation(1)));
  }
  append(1, table.linears.back().output);
  return entries;
}

}  // namespace quintet
