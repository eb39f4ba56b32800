// Conversion of an image network to one safetensors file, with the files that describe it in the metadata
// (docs/formats/safetensors.md, "Image networks").

#include <string>
#include <utility>
#include <vector>

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

Job job_for(const SourceTensor& tensor, std::string name, std::vector<uint64_t> shape, Dtype dtype) {
  Job job{.source = tensor, .output = {}};
  job.output.name = std::move(name);
  job.output.shape = std::move(shape);
  job.output.dtype = dtype;
  return job;
}

}  // namespace

Result<Plan> plan_image_network(const SourceModel& source, const ConvertOptions& options) {
  Plan plan;
  plan.description.format = Format::safetensors;
  plan.description.metadata = source.description.metadata;
  for (const SourceTensor& tensor : source.tensors) {
    const TensorInfo& info = tensor.info;
    if (options.quantize == Quantize::int8 && is_quantized(info)) {
      const uint64_t row = info.elements() / info.shape[0];
      if (row > UINT32_MAX) return tensor_error(Code::unsupported, Reason::limit, info, "rows of {} values", row);
      const Quantization by_row = {
          .scheme = Scheme::group_int8, .block = static_cast<uint32_t>(row), .scale_dtype = Dtype::f32};
      plan.jobs.push_back(job_for(tensor, info.name, info.shape, Dtype::i8));
      plan.jobs.back().split = by_row;
      plan.jobs.push_back(job_for(tensor, info.name + "_scale", {info.shape[0]}, Dtype::f32));
      plan.jobs.back().split = by_row;
    } else {
      const bool keeps = !is_real(info) || options.quantize == Quantize::keep || options.quantize == Quantize::int8;
      const Dtype dtype = keeps ? info.dtype : plain_type(info, options, {}).dtype;
      plan.jobs.push_back(job_for(tensor, info.name, info.shape, dtype));
    }
  }
  return plan;
}

}  // namespace quintet
