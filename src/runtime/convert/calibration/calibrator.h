#pragma once
// Static quantization of a ResNet: runs it in float32 on images to find a scale for every activation.

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "formats/layer_table.h"
#include "models/vision/float_network.h"
#include "models/vision/network.h"
#include "runtime/convert/convert_options.h"

namespace quintet {

// Collects statistics of one activation.
class Observer {
 public:
  virtual ~Observer() = default;
  // Finite values.
  virtual void add(std::span<const float> values) = 0;
  virtual ActivationQuantization quantization() const = 0;
};

// min_max: nothing is clipped. histogram: the range with the least squared error, so that a few outliers do not make
// all other values coarser.
std::unique_ptr<Observer> make_observer(ObserverKind kind);

// Collects statistics of the activations that have a scale in static quantization.
class ActivationRecorder final : public vision::ActivationObserver {
 public:
  explicit ActivationRecorder(ObserverKind kind) : kind_(kind) {}

  void observe(vision::ActivationSite site, std::span<const float> values) override;
  // An error if an activation was infinite or NaN.
  const Status& status() const { return status_; }

  // For a site that was observed.
  ActivationQuantization entry(size_t index) const { return entries_[index]->quantization(); }
  ActivationQuantization conv(size_t index) const { return convs_[index]->quantization(); }
  ActivationQuantization linear(size_t index) const { return linears_[index]->quantization(); }

 private:
  using Observers = std::vector<std::unique_ptr<Observer>>;  // null if nothing was observed

  Observers& observers(vision::ActivationSite::Kind kind);

  ObserverKind kind_;
  Observers entries_, convs_, linears_;
  Status status_;
};

struct StaticQuantization {
  LayerTable table;  // sq8, with the scales of all activations
  // For a layer's parameters; both zero points are 0.
  struct Layer {
    float weight_scale = 0;  // int8
    float bias_scale = 0;    // int32: weight_scale times the scale of the layer's input
  };
  std::vector<Layer> convs;
  std::vector<Layer> linears;
};

class Calibrator {
 public:
  // Copies the weights, which are float32. The table's kind and scales are ignored.
  static Result<Calibrator> make(LayerTable table, const vision::FloatWeights& weights, ObserverKind kind);

  // One image, [3][height][width], normalized. After an error the calibrator cannot be used any more.
  Status observe(std::span<const float> image, size_t height, size_t width);

  // After at least one image.
  Result<StaticQuantization> quantization() const;

 private:
  struct Extent {  // largest absolute values of a layer's parameters
    float weight = 0, bias = 0;
  };

  Calibrator(LayerTable table, vision::FloatNetwork network, ObserverKind kind)
      : table_(std::move(table)), network_(std::move(network)), recorder_(kind) {}

  static Result<std::vector<Extent>> extents(const std::vector<vision::FloatWeights::Layer>& layers);
  static StaticQuantization::Layer quantized(const Extent& extent, const ActivationQuantization& input);
  // LayerTable::activations of the result; its layers have their own scales.
  std::vector<ActivationQuantization> activations(const LayerTable& table) const;

  LayerTable table_;
  vision::FloatNetwork network_;
  ActivationRecorder recorder_;
  std::vector<Extent> convs_, linears_;
  size_t images_ = 0;
};

}  // namespace quintet
