#include "runtime/convert/decoder_types.h"

#include <string>

#include "architectures/decoder/layer_parts.h"
#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"

namespace quintet {
namespace {

constexpr uint32_t kDefaultBlock = 32;
// Codes and scales weigh less in longer blocks, so that more of the budget is left for the values.
constexpr uint32_t kDefaultAdaptiveBlock = 64;
constexpr double kDefaultAdaptiveBits = 5;

struct AmbQuantization {
  Quantize quantize;
  Scheme scheme;
};
constexpr AmbQuantization kAmbQuantizations[] = {
    {Quantize::int8, Scheme::int8},
    {Quantize::int4, Scheme::int4},
    {Quantize::int5, Scheme::int5},
    {Quantize::int4_block, Scheme::int4_block},
    {Quantize::int5_block, Scheme::int5_block},
    {Quantize::adaptive, Scheme::adaptive},
};

Scheme amb_scheme(Quantize quantize) {
  for (const AmbQuantization& row : kAmbQuantizations) {
    if (row.quantize == quantize) return row.scheme;
  }
  return Scheme::none;
}

Quantization wanted_quantization(const ConvertOptions& options) {
  const Scheme scheme = amb_scheme(options.quantize);
  const uint32_t block = scheme == Scheme::adaptive ? kDefaultAdaptiveBlock : kDefaultBlock;
  return {.scheme = scheme,
          .block = static_cast<uint32_t>(options.group_size.value_or(block)),
          .scale_dtype = options.scale_dtype.value_or(Dtype::f16)};
}

StoredType amb_blocks(Scheme scheme, uint32_t block, Dtype scale_dtype) {
  return {.dtype = Dtype::f32, .quantization = {.scheme = scheme, .block = block, .scale_dtype = scale_dtype}};
}

// What comes nearest to a type of another format: the same values where AMB has them, else as many bits.
StoredType nearest_amb_type(const TensorInfo& info) {
  const Quantization& from = info.quantization;
  const Codec codec = codec_of(from.scheme);
  if (codec == Codec::amb) return stored_type(info);
  if (codec == Codec::alt && !from.asymmetric) {
    return amb_blocks(bits_of(from.scheme) == 8 ? Scheme::int8 : Scheme::int4, 0, Dtype::f32);
  }
  const Scheme nearest = block_type_field<&BlockType::nearest_amb>(from.scheme);
  if (nearest != Scheme::none) return amb_blocks(nearest, kDefaultBlock, Dtype::f16);
  return plain_type(info, {}, {Dtype::f32, Dtype::f16, Dtype::bf16});
}

// Norms and biases are few and sensitive: only matrices lose precision.
bool loses_precision(const TensorInfo& info) {
  return info.shape.size() == 2 && decoder::is_huggingface_name(info.name);
}

bool is_vocabulary_matrix(std::string_view name) {
  return name.ends_with("embed_tokens.weight") || name.ends_with("lm_head.weight");
}

}  // namespace

Result<StoredType> amb_type(const TensorInfo& info, const ConvertOptions& options, uint64_t& bytes) {
  bytes = info.bytes;
  if (options.quantize == Quantize::keep || (options.quantize != Quantize::none && !loses_precision(info))) {
    return nearest_amb_type(info);
  }
  const Quantization quantization = wanted_quantization(options);
  if (quantization.scheme == Scheme::none) return plain_type(info, options, {});
  if (quantization.scheme == Scheme::adaptive) {
    const auto size = adaptive_bytes(quantization, info.elements(), options.bits.value_or(kDefaultAdaptiveBits));
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
    if (codec_of(scheme) == Codec::alt) return stored_type(info);
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
  const Quantization quantization = wanted_quantization(options);
  if (quantization.scheme == Scheme::none) return nullptr;
  Json quant = Json::object();
  quant.append("type", block_type_field<&BlockType::amb_config>(quantization.scheme));
  quant.append("block_size", uint64_t{quantization.block});
  quant.append("scale_type", quantization.scale_dtype == Dtype::f16 ? "fp16" : "fp32");
  return quant;
}

}  // namespace quintet
