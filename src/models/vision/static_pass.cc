#include "models/vision/static_pass.h"

#include <algorithm>
#include <utility>

#include "models/tensor_sinks.h"
#include "models/vision/pooling.h"

namespace quintet::vision {

Result<std::unique_ptr<ByteSink>> StaticLayer::sink(tinyruntime::TensorPart part, const TensorArrival& tensor) {
  if (part == tinyruntime::TensorPart::batch_norm) return tensor_sink<SourceTypes::network>(tensor, batch_norm);
  return part == tinyruntime::TensorPart::weight ? convolution->weight_sink(tensor) : convolution->bias_sink(tensor);
}

Result<FeatureMap<int16_t>> StaticPass::result_of(NodeId id, const Node& node) {
  const Map& x = input_of(node);
  const auto value = [scale = layers_[node.input].output.scale](int16_t q) { return scale * static_cast<float>(q); };
  switch (node.op) {
    case Op::conv:
      return convolve(id, node);
    case Op::max_pool:
      return max_pool(kernels_.max_pool_i16, x, plan_[id].border);
    case Op::subsample:
      return subsampled(x, node.channels, plan_[id].border);
    case Op::mean:
      return quantized(id, global_average(x, value));
    case Op::maximum:
      return quantized(id, global_max(x, value));
    case Op::concat: {
      std::vector<float> values = values_of(node.input);
      const std::vector<float> others = values_of(node.other);
      values.insert(values.end(), others.begin(), others.end());
      return quantized(id, values);
    }
    case Op::batch_norm: {
      std::vector<float> values = values_of(node.input);
      normalize(layers_[id].batch_norm.span(), values);
      return quantized(id, values);
    }
    default:
      return fail(Code::internal, Reason::mismatch, "a statically quantized network has another operation");
  }
}

std::vector<float> StaticPass::values_of(NodeId id) const {
  const Map& pixel = maps_[id];
  std::vector<float> values(pixel.channels);
  std::transform(pixel.at(0, 0), pixel.at(0, 0) + pixel.channels, values.begin(),
                 [scale = layers_[id].output.scale](int16_t q) { return scale * static_cast<float>(q); });
  return values;
}

Result<FeatureMap<int16_t>> StaticPass::convolve(NodeId id, const Node& node) {
  const StaticLayer& layer = layers_[id];
  QUINTET_TRY(Target y, target_of(id, node));
  StaticEpilogue epilogue = layer.convolution->epilogue(node.activation == Activation::relu && y.addend == nullptr);
  if (y.addend != nullptr) {
    epilogue.residual = y.addend;
    epilogue.residual_scale = layers_[node.other].output.scale;
    epilogue.sum_scale = layer.output.scale;
    epilogue.sum_zero_point = layer.output.zero_point;
  }
  QUINTET_CHECK(layer.convolution->apply(kernels_, input_of(node), y.map, epilogue, scratch_));
  return std::move(y.map);
}

Result<FeatureMap<int16_t>> StaticPass::quantized(NodeId id, std::span<const float> values) const {
  QUINTET_TRY(Map pixel, Map::make(1, 1, values.size(), 0));
  const auto& [scale, zero_point] = layers_[id].output;
  kernels_.quantize_static(values.data(), values.size(), scale, zero_point, pixel.at(0, 0));
  return pixel;
}

}  // namespace quintet::vision
