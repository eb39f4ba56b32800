#include "runtime/convert/embedder_plan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/bert_tensors.h"
#include "formats/weights/layout.h"
#include "formats/weights/scales.h"
#include "runtime/convert/int8_matrices.h"
#include "runtime/convert/stored_type.h"
#include "runtime/embedding/flat_metadata.h"

namespace quintet {
namespace {

constexpr std::string_view kModelPrefix = "bert.";
constexpr uint64_t kUsualGroup = 64;

// Models with a task head keep the encoder's tensors under "bert."; the head is not part of an
// embedder, nor are buffers such as position_ids.
std::optional<std::string> encoder_name(std::string_view name, bool prefixed) {
  if (prefixed) {
    if (!name.starts_with(kModelPrefix)) return std::nullopt;
    name.remove_prefix(kModelPrefix.size());
  }
  const bool of_encoder =
      name.starts_with("embeddings.") || name.starts_with("encoder.") || name.starts_with("pooler.");
  const bool parameter = name.ends_with(".weight") || name.ends_with(".bias");
  if (!of_encoder || !parameter) return std::nullopt;
  return std::string(name);
}

std::unexpected<Error> refuse(Code code, Reason reason, const TensorInfo& info, std::string detail) {
  return fail({.code = code, .reason = reason, .detail = std::move(detail), .tensor = info.name});
}

bool to_int8(const ConvertOptions& options) {
  return options.quantize == Quantize::int8_row || options.quantize == Quantize::int8_group;
}

Result<StoredType> int8_type(const TensorInfo& info, const ConvertOptions& options) {
  const uint64_t columns = info.shape[1];
  const uint64_t group = options.quantize == Quantize::int8_row ? columns : options.group_size.value_or(kUsualGroup);
  if (columns % group != 0 || group > UINT32_MAX) {
    return refuse(Code::input, Reason::out_of_range, info,
                  "groups of " + std::to_string(group) + " do not divide rows of " + std::to_string(columns));
  }
  const Quantization quantization = {
      .scheme = Scheme::group_int8, .block = static_cast<uint32_t>(group), .scale_dtype = Dtype::f32};
  return StoredType{.dtype = Dtype::i8, .quantization = quantization};
}

// Types that .weights does not have are widened.
StoredType kept_type(const TensorInfo& info) {
  if (info.quantized()) return stored_type(info);
  return {.dtype = weights_name_of(info.dtype).empty() ? Dtype::f32 : info.dtype};
}

Result<StoredType> target_of(const TensorInfo& info, const SourceModel& source, const ConvertOptions& options) {
  if (source.origin == Origin::hugging_face && !is_real(info)) {
    return refuse(Code::unsupported, Reason::unknown_value, info,
                  "weights of type " + std::string(name_of(info.dtype)));
  }
  if (!is_real(info) || options.quantize == Quantize::keep) return kept_type(info);
  if (!to_int8(options)) return plain_type(info, options, {});
  // Int8 matrices beyond the encoder's own follow, since one metadata key tells the form of all.
  if (info.quantized() || is_bert_matrix(info)) return int8_type(info, options);
  return kept_type(info);
}

TensorInfo scales_of(const TensorInfo& matrix) {
  const uint64_t columns = matrix.shape[1];
  TensorInfo scales;
  scales.name = weights::scale_name(matrix.name);
  scales.shape = {matrix.shape[0]};
  if (matrix.quantization.block != columns) scales.shape.push_back(columns / matrix.quantization.block);
  scales.bytes = scales.elements() * sizeof(float);
  return scales;
}

Status add_job(const SourceTensor& tensor, std::string name, const SourceModel& source, const ConvertOptions& options,
               Plan& plan) {
  TensorInfo named = tensor.info;
  named.name = std::move(name);
  QUINTET_TRY(const StoredType type, target_of(named, source, options));
  Job job{.source = tensor, .output = {}};
  job.output.name = std::move(named.name);
  job.output.shape = named.shape;
  job.output.dtype = type.dtype;
  job.output.quantization = type.quantization;
  if (job.output.quantized()) job.scales = scales_of(job.output);
  plan.jobs.push_back(std::move(job));
  return {};
}

// All that is stored goes through as it is, the scales as the tensors that they are.
bool keeps_all(const SourceModel& source, const ConvertOptions& options) {
  return source.origin == Origin::file && options.quantize == Quantize::keep;
}

Status add_jobs(const SourceModel& source, const ConvertOptions& options, Plan& plan) {
  std::vector<SourceTensor> tensors = keeps_all(source, options) ? source.tensors : with_joined_scales(source);
  const bool from_folder = source.origin == Origin::hugging_face;
  const bool prefixed = from_folder && std::ranges::any_of(tensors, [](const SourceTensor& tensor) {
                          return tensor.info.name.starts_with(kModelPrefix);
                        });
  // In the order of the data; where data is empty, several tensors share an offset and keep their
  // order.
  std::ranges::stable_sort(tensors, {},
                           [](const SourceTensor& tensor) { return std::pair(tensor.file, tensor.info.offset); });
  for (const SourceTensor& tensor : tensors) {
    const auto name = from_folder ? encoder_name(tensor.info.name, prefixed) : std::optional(tensor.info.name);
    if (name) QUINTET_CHECK(add_job(tensor, *name, source, options, plan));
  }
  return {};
}

uint64_t number(const Json& metadata, std::string_view key) {
  const Json* value = metadata.find(key);
  uint64_t result = 0;
  if (!value || !value->as_string()) return 0;
  for (const char c : *value->as_string()) {
    if (c < '0' || c > '9' || result > UINT32_MAX) return 0;
    result = result * 10 + static_cast<uint64_t>(c - '0');
  }
  return result;
}

Status check_complete(const Json& metadata, const std::vector<Job>& jobs) {
  const BertShape shape = {.vocab_size = number(metadata, "vocab_size"),
                           .hidden = number(metadata, "hidden_size"),
                           .layers = number(metadata, "num_layers"),
                           .intermediate = number(metadata, "intermediate_size"),
                           .positions = number(metadata, "max_position_emb")};
  std::vector<TensorInfo> outputs;
  for (const Job& job : jobs) outputs.push_back(job.output);
  return check_bert_tensors(shape, outputs);
}

void set_quantization(Json& metadata, const ConvertOptions& options) {
  if (options.quantize == Quantize::keep) return;
  if (!to_int8(options)) return metadata.remove(weights::kQuantizationKey);
  const bool by_row = options.quantize == Quantize::int8_row;
  metadata.set(weights::kQuantizationKey,
               by_row ? "int8-row" : "int8-group-" + std::to_string(options.group_size.value_or(kUsualGroup)));
}

}  // namespace

Result<Plan> plan_embedder(const SourceModel& source, const ConvertOptions& options) {
  if (source.description.format == Format::gguf) {
    return unsupported_error("a sentence embedder in GGUF cannot be converted; its safetensors can");
  }
  Plan plan;
  plan.description = source.description;
  const bool flat = source.description.format == Format::weights && !source.description.metadata.find("hidden_size");
  if (flat) {
    ModelDescription described;
    for (const SourceTensor& tensor : source.tensors) described.tensors.push_back(tensor.info);
    QUINTET_TRY(plan.description.metadata, flat_metadata(described, options.metadata));
  }
  QUINTET_CHECK(add_jobs(source, options, plan));
  if (source.origin == Origin::hugging_face) {
    QUINTET_CHECK(check_complete(source.description.metadata, plan.jobs));
  }
  set_quantization(plan.description.metadata, options);
  return plan;
}

}  // namespace quintet
