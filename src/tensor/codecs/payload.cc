#include "tensor/codecs/payload.h"

#include "tensor/codecs/adaptive_encoder.h"
#include "tensor/codecs/alt_values.h"
#include "tensor/codecs/amb_blocks.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/group_int8.h"
#include "tensor/codecs/plain_values.h"
#include "tensor/codecs/tensor_int.h"

namespace quintet {
namespace {

// The families whose members differ by parameters only.
enum class Family : uint8_t { plain, amb, alt, group, tensor, gguf };

Family family_of(Scheme scheme) {
  if (scheme == Scheme::none) return Family::plain;
  if (scheme <= Scheme::adaptive) return Family::amb;
  if (scheme <= Scheme::qint4_packed) return Family::alt;
  if (scheme == Scheme::group_int8) return Family::group;
  return scheme <= Scheme::tensor_int32 ? Family::tensor : Family::gguf;
}

std::optional<PayloadSize> plain_size(Dtype dtype, uint64_t elements) {
  const std::optional<uint64_t> bytes = bytes_of(dtype, elements);
  if (!bytes) return std::nullopt;
  return PayloadSize{.scales = 0, .data = *bytes};
}

}  // namespace

std::optional<PayloadSize> payload_size(Dtype dtype, const Quantization& quantization, uint64_t elements) {
  switch (family_of(quantization.scheme)) {
    case Family::plain:
      return plain_size(dtype, elements);
    case Family::amb:
      return amb_payload_size(quantization, elements);
    case Family::alt:
      return alt_payload_size(quantization, elements);
    case Family::group:
      return group_payload_size(quantization, elements);
    case Family::tensor:
      return plain_size(quantization.scheme == Scheme::tensor_int8 ? Dtype::i8 : Dtype::i32, elements);
    case Family::gguf:
      return gguf_payload_size(quantization.scheme, elements);
  }
  return std::nullopt;
}

Result<std::unique_ptr<PayloadDecoder>> make_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes) {
  const Family family = family_of(quantization.scheme);
  if (family == Family::plain && !decodable(dtype)) {
    return unsupported_error("values of type " + std::string(name_of(dtype)) + " have no float32 form here");
  }
  if (!payload_size(dtype, quantization, elements)) {
    return fail({.code = Code::format,
                 .reason = Reason::limit,
                 .detail = std::to_string(elements) + " values do not fill blocks of this type, or are too many"});
  }
  switch (family) {
    case Family::plain:
      return make_plain_decoder(dtype, elements);
    case Family::amb:
      return make_amb_decoder(quantization, elements, data_bytes);
    case Family::alt:
      return make_alt_decoder(quantization, elements);
    case Family::group:
      return make_group_decoder(quantization, elements);
    case Family::tensor:
      return make_tensor_int_decoder(quantization, elements);
    case Family::gguf:
      break;
  }
  return make_gguf_decoder(quantization.scheme, elements);
}

Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes) {
  if (!payload_size(dtype, quantization, elements)) {
    return input_error(Reason::out_of_range,
                       std::to_string(elements) + " values do not fill blocks of this size, or are too many");
  }
  switch (family_of(quantization.scheme)) {
    case Family::plain:
      if (dtype != Dtype::f32 && dtype != Dtype::f16 && dtype != Dtype::bf16) break;
      return make_plain_encoder(dtype, elements);
    case Family::amb:
      if (quantization.scheme == Scheme::adaptive) return make_adaptive_encoder(quantization, elements, data_bytes);
      return make_amb_encoder(quantization, elements);
    case Family::alt:
      return make_alt_encoder(quantization, elements);
    case Family::group:
      return make_group_encoder(quantization, elements);
    case Family::tensor:
      return make_tensor_int_encoder(quantization, elements);
    case Family::gguf:
      break;
  }
  return unsupported_error("values of this type are read and not written");
}

}  // namespace quintet
