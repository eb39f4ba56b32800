#include "architectures/decoder/quantization_config.h"

#include <algorithm>
#include <span>
#include <string>

#include "architectures/decoder/fields.h"

namespace quintet::decoder {
namespace {

using huggingface::Packing;
using huggingface::WeightPacking;

// transformers, BitsAndBytesConfig.
constexpr FixedField kBitsAndBytes[] = {{"bnb_4bit_quant_storage", R"("uint8")"}};
// AutoGPTQ, BaseQuantizeConfig; GPTQModel, QuantizeConfig. With desc_act, groups are not adjacent columns.
constexpr FixedField kGptq[] = {{"bits", "4"},
                                {"desc_act", "false"},
                                {"dynamic", "false {}"},
                                {"is_marlin_format", "false"},
                                {"checkpoint_format", R"("gptq" "gptq_v2")"}};
// AutoAWQ, AwqConfig.
constexpr FixedField kAwq[] = {{"bits", "4"}, {"version", R"("gemm" "GEMM")"}, {"zero_point", "true"}};
// compressed-tensors: QuantizationConfig, QuantizationScheme and QuantizationArgs.
constexpr FixedField kCompressed[] = {
    {"format", R"("pack-quantized" "int-quantized")"}, {"kv_cache_scheme", "null"}, {"transform_config", "{}"}};
constexpr FixedField kSparsity[] = {{"format", R"("dense")"}};
constexpr FixedField kInputs[] = {{"dynamic", "true"}};
constexpr FixedField kGroup[] = {{"output_activations", "null"}};
// Only `actorder` "group" leaves groups that are not adjacent columns.
constexpr FixedField kWeights[] = {{"type", R"("int")"},
                                   {"strategy", R"("group" "channel")"},
                                   {"actorder", R"("weight" "static")"},
                                   {"dynamic", "false"}};
constexpr FixedField kFourBits[] = {{"num_bits", "4"}};
constexpr FixedField kEightBits[] = {{"num_bits", "8"}, {"symmetric", "true"}};

// Checks an object within another; it may be absent.
Status check_inner(const DecoderFields& outer, std::string_view key, std::span<const FixedField> rules) {
  const Json* inner = outer.find(key);
  return inner
             ? DecoderFields(*inner, formatted("config.json: {}", key), DecoderFields::Nulls::absent).check_fixed(rules)
             : Status();
}

// -1 stands for the whole row.
Status read_group(const DecoderFields& fields, uint64_t& group) {
  const Json* size = fields.find("group_size");
  if (!size || size->as_int() == -1) return {};
  return fields.natural("group_size", 1, kMaxWidth, group);
}

Result<WeightPacking> read_bitsandbytes(const DecoderFields& fields) {
  bool is_four = false, is_eight = false;
  QUINTET_CHECK(fields.flag("load_in_4bit", is_four));
  QUINTET_CHECK(fields.flag("load_in_8bit", is_eight));
  if (is_four == is_eight) return fields.unsupported("load_in_4bit", "expected either this or load_in_8bit");
  return WeightPacking{.packing = is_four ? Packing::bnb4 : Packing::bnb8};
}

Result<WeightPacking> read_gptq(const DecoderFields& fields) {
  bool is_symmetric = true;
  std::string format = "gptq";
  QUINTET_CHECK(fields.flag("sym", is_symmetric));
  QUINTET_CHECK(fields.text("checkpoint_format", format));
  WeightPacking packing = {.has_zeros = !is_symmetric, .zero_offset = format == "gptq" ? 1U : 0U};
  QUINTET_CHECK(read_group(fields, packing.group));
  return packing;
}

Result<WeightPacking> read_awq(const DecoderFields& fields) {
  WeightPacking packing = {.packing = Packing::awq, .has_zeros = true};
  QUINTET_CHECK(read_group(fields, packing.group));
  return packing;
}

Result<WeightPacking> read_compressed(const DecoderFields& fields) {
  std::string format;
  QUINTET_CHECK(fields.text("format", format));
  QUINTET_CHECK(check_inner(fields, "sparsity_config", kSparsity));
  const Json* groups = fields.find("config_groups");
  if (!groups || !groups->as_object() || groups->as_object()->size() != 1) {
    return fields.unsupported("config_groups", "expected one group");
  }
  const DecoderFields group(groups->as_object()->front().value, "config.json: config_groups",
                            DecoderFields::Nulls::absent);
  QUINTET_CHECK(group.check_fixed(kGroup));
  QUINTET_CHECK(check_inner(group, "input_activations", kInputs));
  QUINTET_CHECK(check_inner(group, "weights", kWeights));
  const bool is_four = format == "pack-quantized";
  QUINTET_CHECK(check_inner(group, "weights", is_four ? std::span<const FixedField>(kFourBits) : kEightBits));
  const DecoderFields weights(groups->as_object()->front().value.get("weights"), "config.json: weights",
                              DecoderFields::Nulls::absent);
  bool is_symmetric = true;
  QUINTET_CHECK(weights.flag("symmetric", is_symmetric));
  WeightPacking packing = {.packing = is_four ? Packing::packed : Packing::int8, .has_zeros = !is_symmetric};
  QUINTET_CHECK(read_group(weights, packing.group));
  return packing;
}

struct Method {
  std::string_view name;
  std::span<const FixedField> rules;
  Result<WeightPacking> (*read)(const DecoderFields&);
};
constexpr Method kMethods[] = {
    {"bitsandbytes", kBitsAndBytes, read_bitsandbytes},
    {"gptq", kGptq, read_gptq},
    {"awq", kAwq, read_awq},
    {"compressed-tensors", kCompressed, read_compressed},
};

}  // namespace

Result<std::optional<WeightPacking>> read_weight_packing(const Json& config) {
  const DecoderFields outer(config, "config.json", DecoderFields::Nulls::absent);
  const Json* json = outer.find("quantization_config");
  if (!json) return std::nullopt;
  const DecoderFields fields(*json, "config.json: quantization_config", DecoderFields::Nulls::absent);
  std::string name = "bitsandbytes";  // which older files leave out
  QUINTET_CHECK(fields.text("quant_method", name));
  for (const Method& method : kMethods) {
    if (method.name != name) continue;
    QUINTET_CHECK(fields.check_fixed(method.rules));
    QUINTET_TRY(const WeightPacking packing, method.read(fields));
    return packing;
  }
  return fields.unsupported("quant_method", "supported: bitsandbytes gptq awq compressed-tensors");
}

}  // namespace quintet::decoder
