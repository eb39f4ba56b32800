#include "formats/huggingface/weight_packing.h"

namespace quintet::huggingface {
namespace {

struct PartRow {
  Packing packing;
  std::string_view suffix;
  WeightPart part;
};

// The names of AutoGPTQ and GPTQModel (qlinear modules), AutoAWQ (modules/linear/gemm.py), compressed-tensors
// (compressors/quantized_compressors) and bitsandbytes (functional.py, QuantState.as_dict; nn/modules.py,
// Linear8bitLt).
constexpr PartRow kParts[] = {
    {Packing::gptq, ".qweight", WeightPart::values},
    {Packing::gptq, ".scales", WeightPart::scales},
    {Packing::gptq, ".qzeros", WeightPart::zeros},
    {Packing::gptq, ".g_idx", WeightPart::order},
    {Packing::awq, ".qweight", WeightPart::values},
    {Packing::awq, ".scales", WeightPart::scales},
    {Packing::awq, ".qzeros", WeightPart::zeros},
    {Packing::packed, ".weight_packed", WeightPart::values},
    {Packing::packed, ".weight_scale", WeightPart::scales},
    {Packing::packed, ".weight_zero_point", WeightPart::zeros},
    {Packing::packed, ".weight_shape", WeightPart::shape},
    {Packing::packed, ".weight_g_idx", WeightPart::order},
    {Packing::int8, ".weight", WeightPart::values},
    {Packing::int8, ".weight_scale", WeightPart::scales},
    {Packing::bnb4, ".weight", WeightPart::values},
    {Packing::bnb4, ".weight.absmax", WeightPart::scales},
    {Packing::bnb4, ".weight.quant_map", WeightPart::codebook},
    {Packing::bnb4, ".weight.nested_absmax", WeightPart::outer_scales},
    {Packing::bnb4, ".weight.nested_quant_map", WeightPart::outer_codebook},
    {Packing::bnb4, ".weight.quant_state.bitsandbytes__nf4", WeightPart::state},
    {Packing::bnb4, ".weight.quant_state.bitsandbytes__fp4", WeightPart::state},
    {Packing::bnb8, ".weight", WeightPart::values},
    {Packing::bnb8, ".SCB", WeightPart::scales},
    {Packing::bnb8, ".weight_format", WeightPart::row_order},
};

constexpr PackedLayout kLayouts[] = {
    {Dtype::i32, true, 1, 8},   // gptq
    {Dtype::i32, true, 8, 1},   // awq
    {Dtype::i32, false, 1, 8},  // packed
    {Dtype::i8, false, 1, 1},   // int8
    {Dtype::u8, false, 1, 2},   // bnb4
    {Dtype::i8, false, 1, 1},   // bnb8
};

constexpr std::string_view kWeight = ".weight";

}  // namespace

PackedLayout layout_of(Packing packing) { return kLayouts[static_cast<size_t>(packing)]; }

bool may_be(Packing packing, WeightPart part, Dtype dtype) {
  switch (part) {
    case WeightPart::values:
      return dtype == layout_of(packing).dtype;
    case WeightPart::scales:
      if (packing == Packing::bnb4 && dtype == Dtype::u8) return true;
      return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16;
    case WeightPart::zeros:
    case WeightPart::order:
      return dtype == Dtype::i32;
    case WeightPart::shape:
      return dtype == Dtype::i64 || dtype == Dtype::i32;
    case WeightPart::state:
    case WeightPart::row_order:
      return dtype == Dtype::u8;
    case WeightPart::codebook:
    case WeightPart::outer_scales:
    case WeightPart::outer_codebook:
      return dtype == Dtype::f32;
  }
  return false;
}

std::optional<PartName> part_of(Packing packing, const TensorInfo& info) {
  const std::string_view name = info.name;
  for (const PartRow& row : kParts) {
    if (row.packing != packing || !name.ends_with(row.suffix)) continue;
    // Matrices that are not quantized have the same name.
    if (row.suffix == kWeight && info.dtype != layout_of(packing).dtype) return std::nullopt;
    return PartName{.weight = formatted("{}{}", name.substr(0, name.size() - row.suffix.size()), kWeight),
                    .part = row.part};
  }
  return std::nullopt;
}

std::string name_of(Packing packing, std::string_view weight, WeightPart part) {
  weight.remove_suffix(kWeight.size());
  std::string name(weight);
  for (const PartRow& row : kParts) {
    if (row.packing == packing && row.part == part) return name.append(row.suffix);
  }
  return name;
}

}  // namespace quintet::huggingface
