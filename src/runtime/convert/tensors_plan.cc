#include "runtime/convert/tensors_plan.h"

#include <string>
#include <utility>

#include "runtime/convert/int8_matrices.h"
#include "runtime/convert/stored_type.h"

namespace quintet {
namespace {

StoredType target_of(const TensorInfo& info, const ConvertOptions& options) {
  if (!is_real(info) || (options.quantize == Quantize::keep && !info.quantized())) return {.dtype = info.dtype};
  return plain_type(info, options, {});
}

// Metadata of safetensors is text.
Json as_text(const Json& metadata) {
  Json text = Json::object();
  for (const Json::Member& member : *metadata.as_object()) {
    text.append(member.name, member.value.as_string() ? member.value : Json(write_json(member.value)));
  }
  return text;
}

}  // namespace

Result<Plan> plan_tensors(const SourceModel& source, const ConvertOptions& options) {
  Plan plan;
  plan.description.format = Format::safetensors;
  plan.description.metadata = as_text(source.description.metadata);
  const bool keeps_all = options.quantize == Quantize::keep && source.description.format == Format::weights;
  const std::vector<SourceTensor> tensors = keeps_all ? source.tensors : with_joined_scales(source);
  for (const SourceTensor& tensor : tensors) {
    Job job{.source = tensor, .output = {}};
    const StoredType type = target_of(tensor.info, options);
    job.output.name = source.output_name(tensor.info);
    job.output.shape = tensor.info.shape;
    job.output.dtype = type.dtype;
    plan.jobs.push_back(std::move(job));
  }
  return plan;
}

Plan plan_copy(const SourceModel& source) {
  Plan plan{.description = source.description, .jobs = {}};
  for (const SourceTensor& tensor : source.tensors) plan.jobs.push_back({.source = tensor, .output = tensor.info});
  return plan;
}

}  // namespace quintet
