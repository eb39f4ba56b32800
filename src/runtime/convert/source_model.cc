#include "runtime/convert/source_model.h"

#include "formats/embd/layout.h"
#include "formats/embd/tensor_index.h"

namespace quintet {
namespace {

bool is_scale(const TensorLookup& lookup, const TensorInfo& info) {
  std::string_view name = info.name;
  if (!name.ends_with(embd::kScaleSuffix)) return false;
  name.remove_suffix(embd::kScaleSuffix.size());
  const TensorInfo* matrix = lookup.find(name);
  return matrix && embd::find_scale(lookup, *matrix) != nullptr;
}

}  // namespace

std::vector<SourceTensor> with_joined_scales(const SourceModel& source) {
  if (source.description.format != Format::embd) return source.tensors;
  std::vector<TensorInfo> infos;
  for (const SourceTensor& tensor : source.tensors) infos.push_back(tensor.info);
  const TensorLookup lookup(infos);
  std::vector<SourceTensor> joined;
  for (const SourceTensor& tensor : source.tensors) {
    if (is_scale(lookup, tensor.info)) continue;
    SourceTensor& next = joined.emplace_back(tensor);
    const TensorInfo* scale = embd::find_scale(lookup, next.info);
    if (!scale) continue;
    next.info.quantization = {.scheme = Scheme::group_int8,
                              .block = static_cast<uint32_t>(embd::scale_group(next.info, *scale)),
                              .scale_dtype = Dtype::f32};
    next.info.scales_offset = scale->offset;
    next.info.scales_bytes = scale->bytes;
  }
  return joined;
}

}  // namespace quintet
