#pragma once
// Static quantization of a ResNet: runs it in float32 over pictures to find a scale for every activation.

#include <span>
#include <vector>

#include "models/resnet/float_network.h"
#include "runtime/convert/calibration/activation_recorder.h"

namespace quintet {

struct StaticQuantization {
  LayerTable table;  // sq8, with the scales of all activations
  // Of a layer's parameters; both zero points are 0.
  struct Layer {
    float weight_scale = 0;  // int8
    float bias_scale = 0;    // int32: weight_scale times the scale of the layer's input
  };
  std::vector<Layer> convs;
  std::vector<Layer> linears;
};

class Calibrator {
 public:
  // Copies the weights, which are float32. The table's kind and scales do not matter.
  static Result<Calibrator> make(LayerTable table, const resnet::FloatWeights& weights, ObserverKind kind);

  // One picture, [3][height][width], normalised. After an error the calibrator cannot be used any more.
  Status observe(std::span<const float> image, size_t height, size_t width);

  // After at least one picture.
  Result<StaticQuantization> quantization() const;

 private:
  struct Extent {  // largest absolute values of a layer's parameters
    float weight = 0, bias = 0;
  };

  Calibrator(LayerTable table, resnet::FloatNetwork network, ObserverKind kind)
      : table_(std::move(table)), network_(std::move(network)), recorder_(kind) {}

  static Result<std::vector<Extent>> extents(const std::vector<resnet::FloatWeights::Layer>& layers);
  static StaticQuantization::Layer quantized(const Extent& extent, const ActivationQuantization& input);
  // LayerTable::activations of the result, whose layers have their scales.
  std::vector<ActivationQuantization> activations(const LayerTable& table) const;

  LayerTable table_;
  resnet::FloatNetwork network_;
  ActivationRecorder recorder_;
  std::vector<Extent> convs_, linears_;
  size_t images_ = 0;
};

}  // namespace quintet
