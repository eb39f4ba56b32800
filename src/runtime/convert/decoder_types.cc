#include "runtime/convert/decoder_types.h"

#include <string>

#include "formats/decoder_tensors.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

constexpr uint32_t kUsualBlock = 32;
// Codes and scales weigh less in longer blocks, so that more of the budget is left for the values.
constexpr uint32_t kUsualAdaptiveBlock = 64;
constexpr double kUsualAdaptiveBits = 5;

Scheme amb_scheme(Quantize quantize) {
  switch (quantize) {
    case Quantize::int8:
      return Scheme::int8;
    case Quantize::int4:
      return Scheme::int4;
    case Quantize::int5:
      return Scheme::int5;
    case Quantize::int4_block:
      return Scheme::int4_block;
    case Quantize::int5_block:
      return Scheme::int5_block;
    case Quantize::adaptive:
      return Scheme::adaptive;
    default:
      return Scheme::none;
  }
}

std::string_view scheme_name(Scheme scheme) {
  switch (scheme) {
    case Scheme::int8:
      return "int8";
    case Scheme::int4:
      return "int4";
    case Scheme::int5:
      return "int5";
    case Scheme::int4_block:
      return "int4_block";
    case Scheme::int5_block:
      return "int5_block";
    default:
      return "adaptive";
  }
}

Quantization asked_quantization(const ConvertOptions& options) {
  const Scheme scheme = amb_scheme(options.quantize);
  const uint32_t usual = scheme == Scheme::adaptive ? kUsualAdaptiveBlock : kUsualBlock;
  return {.scheme = scheme,
          .block = static_cast<uint32_t>(options.group_size.value_or(usual)),
          .scale_dtype = options.scale_dtype.value_or(Dtype::f16)};
}

StoredType amb_blocks(Scheme scheme, uint32_t block, Dtype scale_dtype) {
  return {.dtype = Dtype::f32, .quantization = {.scheme = scheme, .block = block, .scale_dtype = scale_dtype}};
}

// What comes nearest to a type of another format: the same values where AMB has them, else as many
// bits.
StoredType nearest_amb_type(const TensorInfo& info) {
  const Quantization& from = info.quantization;
  switch (from.scheme) {
    case Scheme::int8:
    case Scheme::int4:
    case Scheme::int5:
    case Scheme::int4_block:
    case Scheme::int5_block:
    case Scheme::adaptive:
      return stored_type(info);
    case Scheme::qint8:
      return from.asymmetric ? amb_blocks(Scheme::int8, kUsualBlock, Dtype::f16)
                             : amb_blocks(Scheme::int8, 0, Dtype::f32);
    case Scheme::qint4:
    case Scheme::qint4_packed:
      return from.asymmetric ? amb_blocks(Scheme::int5_block, kUsualBlock, Dtype::f16)
                             : amb_blocks(Scheme::int4, 0, Dtype::f32);
    case Scheme::q4_0:
    case Scheme::q4_1:
    case Scheme::q4_k:
      return amb_blocks(Scheme::int4_block, kUsualBlock, Dtype::f16);
    case Scheme::q5_0:
    case Scheme::q5_1:
    case Scheme::q5_k:
      return amb_blocks(Scheme::int5_block, kUsualBlock, Dtype::f16);
    case Scheme::q6_k:
    case Scheme::q8_0:
      return amb_blocks(Scheme::int8, kUsualBlock, Dtype::f16);
    case Scheme::none:
    case Scheme::group_int8:
    case Scheme::tensor_int8:
    case Scheme::tensor_int32:
      break;
  }
  return plain_type(info, {}, {Dtype::f32, Dtype::f16, Dtype::bf16});
}

// Norms and biases are few and sensitive: only matrices lose precision.
bool loses_precision(const TensorInfo& info) { return info.shape.size() == 2 && is_decoder_tensor(info.name); }

bool is_vocabulary_matrix(std::string_view name) {
  return name.ends_with("embed_tokens.weight") || name.ends_with("lm_head.weight");
}

}  // namespace

Result<StoredType> amb_type(const TensorInfo& info, const ConvertOptions& options, uint64_t& bytes) {
  bytes = info.bytes;
  if (options.quantize == Quantize::keep || (options.quantize != Quantize::none && !loses_precision(info))) {
    return nearest_amb_type(info);
  }
  const Quantization quantization = asked_quantization(options);
  if (quantization.scheme == Scheme::none) return plain_type(info, options, {});
  if (quantization.scheme == Scheme::adaptive) {
    const auto size = adaptive_bytes(quantization, info.elements(), options.bits.value_or(kUsualAdaptiveBits));
    if (!size) {
      return fail({.code = Code::input,
                   .reason = Reason::out_of_range,
                   .detail = "blocks of " + std::to_string(quantization.block) + " cannot be of adaptive precision",
                   .tensor = info.name});
    }
    bytes = *size;
  }
  return StoredType{.dtype = Dtype::f32, .quantization = quantization};
}

StoredType alt_type(const TensorInfo& info, const ConvertOptions& options) {
  if (options.quantize == Quantize::keep) {
    const Scheme scheme = info.quantization.scheme;
    if (scheme == Scheme::qint8 || scheme == Scheme::qint4 || scheme == Scheme::qint4_packed) return stored_type(info);
    return plain_type(info, options, {Dtype::f32, Dtype::f16});
  }
  if (options.quantize == Quantize::none) return {.dtype = Dtype::f32};
  if (!loses_precision(info)) return plain_type(info, {}, {Dtype::f32, Dtype::f16});
  if (options.quantize == Quantize::f16) return {.dtype = Dtype::f16};
  // One step width for a whole vocabulary is too coarse in 4 bits.
  const bool eight = options.quantize == Quantize::int8 || is_vocabulary_matrix(info.name);
  return {.dtype = Dtype::f32, .quantization = {.scheme = eight ? Scheme::qint8 : Scheme::qint4_packed}};
}

Json amb_quant_config(const ConvertOptions& options) {
  const Quantization quantization = asked_quantization(options);
  if (quantization.scheme == Scheme::none) return nullptr;
  Json quant = Json::object();
  quant.append("type", scheme_name(quantization.scheme));
  quant.append("block_size", uint64_t{quantization.block});
  quant.append("scale_type", quantization.scale_dtype == Dtype::f16 ? "fp16" : "fp32");
  return quant;
}

}  // namespace quintet
