#pragma once
// Static quantization of a network of tinyRuntime: runs it in float32 on images to find a scale for every activation.

#include <memory>
#include <span>
#include <vector>

#include "architectures/vision/table_graph.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "models/vision/pass.h"
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
class ActivationRecorder final : public vision::NodeObserver {
 public:
  // `sites`: of the nodes.
  ActivationRecorder(ObserverKind kind, std::vector<vision::ActivationSite> sites);

  void see_floats(vision::NodeId node, const vision::FeatureMap<float>& map) override;
  // An error if an activation was infinite or NaN.
  const Status& status() const { return status_; }

  // For a site that was observed.
  ActivationQuantization at(vision::ActivationSite site) const;

 private:
  std::vector<vision::ActivationSite> sites_;
  std::vector<std::unique_ptr<Observer>> observers_;  // null for a node without a site
  Status status_;
};

struct StaticQuantization {
  LayerTable table;  // sq8, with the scales of all activations
  // For a layer's parameters; both zero points are 0.
  struct Layer {
    float weight_scale = 0;  // int8
    float bias_scale = 0;    // int32: weight_scale times the scale of the layer's input
  };
  std::vector<Layer> layers;  // convolutions, then linear layers
};

class Calibrator {
 public:
  // Copies the values, those of tinyruntime::network_tensors(). The table's kind and scales are ignored. INPUT for a
  // table that is not that of a known network, and for values that do not match it or are not finite.
  static Result<Calibrator> make(LayerTable table, std::span<const std::vector<float>> values, ObserverKind kind);

  // One image, [3][height][width], normalized. After an error the calibrator cannot be used any more.
  Status observe(std::span<const float> image, size_t height, size_t width);

  // After at least one image.
  Result<StaticQuantization> quantization() const;

 private:
  struct Extent {  // largest absolute values of a layer's parameters
    float weight = 0, bias = 0;
  };

  Calibrator(LayerTable table, tinyruntime::Network layout, ActivationRecorder recorder)
      : table_(std::move(table)), layout_(std::move(layout)), recorder_(std::move(recorder)) {}

  static StaticQuantization::Layer quantized(const Extent& extent, const ActivationQuantization& input);
  // LayerTable::activations of the result; its layers have their own scales.
  std::vector<ActivationQuantization> activations(const LayerTable& table) const;

  LayerTable table_;
  tinyruntime::Network layout_;
  ActivationRecorder recorder_;
  std::unique_ptr<vision::ImageNetwork> network_;
  std::vector<Extent> extents_;  // of convolutions, then of linear layers
  size_t images_ = 0;
};

}  // namespace quintet
