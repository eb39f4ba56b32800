// Conversion of an image network to one safetensors file, which has the files that describe it in its metadata
// (docs/formats/safetensors.md, "Image networks").

#include <string>
#include <utility>

#include "runtime/convert/plan.h"
#include "tensor/quantization.h"

namespace quintet {
namespace {

constexpr std::string_view kWeight = ".weight";
// Smaller tensors stay floats: norms, and kernels with hardly more weights than their scale would save.
constexpr uint64_t kMinWeights = 1024;

// Matrices of linear layers and kernels of convolutions, of which each row makes one channel.
bool is_quantized(const TensorInfo& info) {
  const bool is_layer = info.shape.size() == 2 || info.shape.size() == 4;
  return is_layer && is_real(info) && info.name.ends_with(kWeight) && info.elements() >= kMinWeights;
}

TensorInfo channel_scales_of(const TensorInfo& weight) {
  TensorInfo scales;
  scales.name = weight.name + "_scale";
  scales.shape = {weight.shape[0]};
  scales.bytes = scales.elements() * sizeof(float);
  return scales;
}

}  // namespace

Result<Plan> plan_image_network(const SourceModel& source, const ConvertOptions& options) {
  Plan plan;
  plan.description.format = Format::safetensors;
  plan.description.metadata = source.description.metadata;
  for (const SourceTensor& tensor : source.tensors) {
    Job job{.source = tensor, .output = {}};
    job.output.name = tensor.info.name;
    job.output.shape = tensor.info.shape;
    if (options.quantize == Quantize::int8 && is_quantized(tensor.info)) {
      const uint64_t row = tensor.info.elements() / tensor.info.shape[0];
      if (row > UINT32_MAX)
        return tensor_error(Code::unsupported, Reason::limit, tensor.info, "rows of {} values", row);
      job.output.dtype = Dtype::i8;
      job.output.quantization = {
          .scheme = Scheme::group_int8, .block = static_cast<uint32_t>(row), .scale_dtype = Dtype::f32};
      job.scales = channel_scales_of(job.output);
    } else {
      const bool keeps =
          !is_real(tensor.info) || options.quantize == Quantize::keep || options.quantize == Quantize::int8;
      job.output.dtype = keeps ? tensor.info.dtype : plain_type(tensor.info, options, {}).dtype;
    }
    plan.jobs.push_back(std::move(job));
  }
  return plan;
}

}  // namespace quintet
