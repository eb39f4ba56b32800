#include "formats/weights/scales.h"

#include "formats/weights/layout.h"
#include "formats/weights/tensor_index.h"

namespace quintet::weights {
namespace {

std::unexpected<Error> blame(const Header& header, const std::vector<TensorInfo>& tensors, const TensorInfo& info,
                             size_t field, Reason reason, std::string detail) {
  const auto tensor = static_cast<size_t>(&info - tensors.data());
  return fail({.code = Code::format,
               .reason = reason,
               .detail = std::move(detail),
               .offset = descriptor_offset(header, tensor) + field,
               .format = {},
               .tensor = info.name});
}

bool fit(const TensorInfo& matrix, const TensorInfo& scale) {
  if (scale.dtype != Dtype::f32 || scale.shape[0] != matrix.shape[0]) return false;
  return scale.shape.size() == 1 || (scale.shape.size() == 2 && matrix.shape[1] % scale.shape[1] == 0);
}

// Whether a scale of this shape is what the metadata's `quantization` announces.
bool announced(std::string_view quantization, const TensorInfo& matrix, const TensorInfo& scale) {
  if (scale.shape.size() == 1) return quantization == "int8-row";
  return quantization == "int8-group-" + std::to_string(scale_group(matrix, scale));
}

}  // namespace

std::string scale_name(std::string_view matrix) { return std::string(matrix) + std::string(kScaleSuffix); }

uint64_t scale_group(const TensorInfo& matrix, const TensorInfo& scale) {
  return scale.shape.size() == 1 ? matrix.shape[1] : matrix.shape[1] / scale.shape[1];
}

Status check_scales(const Header& header, const Metadata& metadata, const std::vector<TensorInfo>& tensors) {
  const MetadataEntry* quantization = find(metadata, kQuantizationKey);
  const TensorLookup lookup(tensors);
  for (const TensorInfo& matrix : tensors) {
    if (matrix.dtype != Dtype::i8) continue;
    if (matrix.shape.size() != 2) {
      return blame(header, tensors, matrix, descriptor_at::kDimensions, Reason::malformed,
                   "int8 values that are no matrix");
    }
    const TensorInfo* scale = lookup.find(scale_name(matrix.name));
    if (!scale) {
      return blame(header, tensors, matrix, descriptor_at::kDtype, Reason::missing, "an int8 matrix without scales");
    }
    if (!fit(matrix, *scale)) {
      return blame(header, tensors, *scale, descriptor_at::kShape, Reason::mismatch,
                   "scales that do not fit their matrix");
    }
    if (quantization && !announced(quantization->value, matrix, *scale)) {
      return format_error(Reason::mismatch, quantization->value_offset,
                          "quantization is \"" + quantization->value.substr(0, 32) + "\", the scales of " +
                              matrix.name + " are of another kind");
    }
  }
  return {};
}

}  // namespace quintet::weights
