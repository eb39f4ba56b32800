#include "runtime/convert/plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "formats/model_files.h"
#include "runtime/convert/source_model.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

StoredType target_of(const TensorInfo& info, const ConvertOptions& options) {
  if (!is_real(info) || (options.quantize == Quantize::keep && !info.quantized())) return {.dtype = info.dtype};
  return plain_type(info, options, {});
}

// Metadata values of safetensors are strings.
Json as_text(const Json& metadata) {
  Json text = Json::object();
  for (const Json::Member& member : *metadata.as_object()) {
    text.append(member.name, member.value.as_string() ? member.value : Json(write_json(member.value)));
  }
  return text;
}

// Conversion to safetensors: every tensor under its name, as plain elements.
Result<Plan> plan_tensors(const SourceModel& source, const ConvertOptions& options) {
  Plan plan;
  plan.description.format = Format::safetensors;
  plan.description.metadata = as_text(source.description.metadata);
  const bool keeps_all = options.quantize == Quantize::keep && source.description.format == Format::embd;
  const std::vector<SourceTensor> tensors = keeps_all ? source.tensors : with_joined_scales(source);
  for (const SourceTensor& tensor : tensors) {
    Job job{.source = tensor, .output = {}};
    // Tensors of a folder stay in the order that its config.json implies.
    if (source.description.format == Format::safetensors) job.source.order = {};
    const StoredType type = target_of(tensor.info, options);
    job.output.name = source.output_name(tensor.info);
    job.output.shape = tensor.info.shape;
    job.output.dtype = type.dtype;
    plan.jobs.push_back(std::move(job));
  }
  return plan;
}

// The tensors in the order of the file.
Plan plan_copy(const SourceModel& source) {
  Plan plan{.description = source.description, .jobs = {}};
  for (const SourceTensor& tensor : source.tensors) plan.jobs.push_back({.source = tensor, .output = tensor.info});
  return plan;
}

bool fits(Family family, Format to) {
  switch (to) {
    case Format::embd:
      return family == Family::embedder;
    case Format::amb:
    case Format::alt:
      return family == Family::decoder;
    case Format::tinyruntime:
      return family == Family::network;
    case Format::safetensors:
      return true;
    case Format::gguf:
      break;
  }
  return false;
}

Result<Plan> plan_for(const SourceModel& source, const ConvertOptions& options) {
  switch (options.to) {
    case Format::embd:
      return plan_embedder(source, options);
    case Format::amb:
    case Format::alt:
      return plan_decoder(source, options);
    case Format::tinyruntime:
      return plan_copy(source);
    case Format::safetensors:
    case Format::gguf:
      break;
  }
  if (source.family == Family::image) return plan_image_network(source, options);
  if (options.quantize != Quantize::int8) return plan_tensors(source, options);
  return unsupported_error("int8 in safetensors is for image networks; {} is none", name_of(source.family));
}

// In the order in which the output stores its tensors.
void put_in_order(Plan& plan, Format to) {
  std::vector<TensorInfo> outputs;
  for (const Job& job : plan.jobs) outputs.push_back(job.output);
  std::vector<Job> jobs;
  for (const size_t i : make_writer(to)->tensor_order(outputs)) jobs.push_back(std::move(plan.jobs[i]));
  plan.jobs = std::move(jobs);
}

// The size of the source's values in the output's type. The size of adaptive tensors is already set.
Status set_sizes(TensorInfo& output) {
  const auto size = payload_size(output.dtype, output.quantization, output.elements());
  if (!size) {
    return in_tensor(
        fail(Code::unsupported, Reason::limit,
             "a shape with more elements than {} supports, or that its blocks do not divide", name_of(output.dtype)),
        output.name);
  }
  if (output.quantization.scheme != Scheme::adaptive) output.bytes = size->data;
  output.scales_bytes = size->scales;
  return {};
}

// The tensor as stored in the file: the int8 matrix of a .weights file is a plain tensor there.
TensorInfo stored(const Job& job) {
  TensorInfo info = job.output;
  if (job.scales) {
    info.quantization = {};
    info.scales_bytes = 0;
  }
  return info;
}

Failure misfit(const SourceModel& source, Format to) {
  if (source.family == Family::tensors && to != Format::tinyruntime) {
    return input_error(Reason::missing, "a safetensors model needs its config.json and vocabulary");
  }
  std::string targets;
  for (const Format format : {Format::embd, Format::amb, Format::alt, Format::tinyruntime, Format::safetensors}) {
    if (fits(source.family, format)) targets.append(targets.empty() ? "" : ", ").append(name_of(format));
  }
  return unsupported_error("{} does not support {}; supported are {}", name_of(to), name_of(source.family), targets);
}

void merge_metadata(Json& metadata, const Json& overrides) {
  for (const Json::Member& member : *overrides.as_object()) {
    if (member.value.is_null()) {
      metadata.remove(member.name);
    } else {
      metadata.set(member.name, member.value);
    }
  }
}

}  // namespace

Result<Plan> plan_conversion(const SourceModel& source, const ConvertOptions& options) {
  if (!fits(source.family, options.to)) return misfit(source, options.to);
  QUINTET_TRY(Plan plan, plan_for(source, options));
  QUINTET_CHECK(plan_products(source, options, plan));
  merge_metadata(plan.description.metadata, options.metadata);
  put_in_order(plan, options.to);
  plan.description.tensors.clear();
  for (Job& job : plan.jobs) {
    QUINTET_CHECK(set_sizes(job.output));
    plan.description.tensors.push_back(stored(job));
    if (job.scales) plan.description.tensors.push_back(*job.scales);
  }
  return plan;
}

bool is_real(const TensorInfo& info) {
  if (info.quantized()) return true;
  switch (info.dtype) {
    case Dtype::f32:
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::f64:
    case Dtype::f8_e4m3:
    case Dtype::f8_e5m2:
      return true;
    default:
      return false;
  }
}

StoredType plain_type(const TensorInfo& info, const ConvertOptions& options, std::initializer_list<Dtype> kept) {
  if (options.quantize == Quantize::f16) return {.dtype = Dtype::f16};
  if (options.quantize == Quantize::bf16) return {.dtype = Dtype::bf16};
  const bool keep = options.quantize != Quantize::none && !info.quantized();
  return {.dtype = keep && std::ranges::find(kept, info.dtype) != kept.end() ? info.dtype : Dtype::f32};
}

}  // namespace quintet
