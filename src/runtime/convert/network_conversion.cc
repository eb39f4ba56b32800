#include "runtime/convert/network_conversion.h"

#include <utility>

#include "tensor/codecs/payload.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

constexpr uint32_t kDefaultNetworkGroup = 64;

NetworkKind kind_of(Quantize quantize) {
  switch (quantize) {
    case Quantize::dq8:
    case Quantize::dq8_symmetric:
      return NetworkKind::dq8;
    case Quantize::sq8:
      return NetworkKind::sq8;
    default:
      return NetworkKind::vanilla;
  }
}

// Groups run along the weights of a filter. Every bias has its own scale: this costs little compared to the weights,
// and with groups of 64 the rounding of biases was half of a network's total error.
Quantization group_quantization(const tinyruntime::NetworkTensor& tensor, const ConvertOptions& options) {
  uint32_t group = 1;
  if (tensor.part == tinyruntime::TensorPart::weight) {
    const auto asked = static_cast<uint32_t>(options.group_size.value_or(kDefaultNetworkGroup));
    group = nearest_divisor(asked, static_cast<uint32_t>(tensor.elements() / tensor.shape[0]));
  }
  return {.scheme = Scheme::group_int8,
          .block = group,
          .scale_dtype = Dtype::f32,
          .asymmetric = options.quantize == Quantize::dq8};
}

Quantization static_quantization(const tinyruntime::NetworkTensor& tensor, const StaticQuantization& found) {
  const StaticQuantization::Layer& layer = found.layers[tensor.layer];
  if (tensor.part == tinyruntime::TensorPart::weight)
    return {.scheme = Scheme::tensor_int8, .scale = layer.weight_scale};
  return {.scheme = Scheme::tensor_int32, .scale = layer.bias_scale};
}

}  // namespace

bool held_whole(const SourceModel& source, const ConvertOptions& options) {
  const bool copies = options.quantize == Quantize::keep && source.description.layers;
  return source.family == Family::network && options.to == Format::tinyruntime && !copies;
}

Result<std::unique_ptr<Conversion>> NetworkConversion::create(const SourceModel& source, const ConvertOptions& options,
                                                              ModelOutput& output) {
  QUINTET_TRY(FloatNetwork network, FloatNetwork::create(source));
  return std::make_unique<NetworkConversion>(std::move(network), options, output);
}

Result<std::optional<Range>> NetworkConversion::next_range() {
  QUINTET_TRY(const std::optional<Range> range, network_.next_range());
  if (range) return range;
  QUINTET_CHECK(network_.fold());
  if (options_.quantize == Quantize::sq8) {
    QUINTET_TRY(Calibrator calibrator, Calibrator::make(network_.layers(), network_.values(), options_.observer));
    calibrator_.emplace(std::move(calibrator));
  }
  return std::nullopt;
}

Status NetworkConversion::calibrate(std::span<const float> image, uint32_t height, uint32_t width) {
  if (!calibrator_) return Conversion::calibrate(image, height, width);
  return calibrator_->observe(image, height, width);
}

Result<ModelDescription> NetworkConversion::describe() const {
  ModelDescription description;
  description.format = Format::tinyruntime;
  description.layers = network_.layers();
  std::optional<StaticQuantization> found;
  if (calibrator_) {
    QUINTET_TRY(found, calibrator_->quantization());
    description.layers = found->table;
  }
  description.layers->kind = kind_of(options_.quantize);
  description.layers->asymmetric = options_.quantize == Quantize::dq8 || options_.quantize == Quantize::sq8;
  for (const NetworkSource& source : network_.tensors()) {
    TensorInfo info;
    info.name = source.tensor.name;
    info.shape = source.tensor.shape;
    const bool quantized = source.tensor.part != tinyruntime::TensorPart::batch_norm;
    if (quantized && found) {
      info.quantization = static_quantization(source.tensor, *found);
    } else if (quantized && description.layers->kind == NetworkKind::dq8) {
      info.quantization = group_quantization(source.tensor, options_);
    }
    const auto size = payload_size(info.dtype, info.quantization, info.elements());
    info.bytes = size->data;
    info.scales_bytes = size->scales;
    description.tensors.push_back(std::move(info));
  }
  return description;
}

Status NetworkConversion::finish() {
  QUINTET_TRY(ModelDescription description, describe());
  QUINTET_CHECK(output_.begin(Format::tinyruntime, description));
  return write(description);
}

Status NetworkConversion::write(const ModelDescription& description) {
  for (size_t i = 0; i < description.tensors.size(); ++i) {
    const TensorInfo& info = description.tensors[i];
    QUINTET_TRY(auto encoder, make_encoder(info.dtype, info.quantization, info.elements(), info.bytes));
    std::vector<std::byte> payload;
    QUINTET_CHECK(encoder->write(network_.values()[i], payload));
    QUINTET_CHECK(encoder->finish(payload));
    QUINTET_CHECK(output_.begin_tensor(info));
    QUINTET_CHECK(output_.write(payload));
  }
  return output_.finish();
}

}  // namespace quintet
