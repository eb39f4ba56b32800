#include "tensor/codecs/payload.h"

#include <algorithm>
#include <utility>

#include "tensor/block_types.h"
#include "tensor/codecs/alt.h"
#include "tensor/codecs/amb.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/codecs/tinyruntime.h"

namespace quintet {
namespace {

// Input of every Dtype that can be decoded; output of f32, f16 and bf16, including infinities and NaN.

class PlainDecoder final : public PiecewiseDecoder {
 public:
  PlainDecoder(Dtype dtype, uint64_t elements, std::unique_ptr<ValueSink> values)
      : PiecewiseDecoder(std::move(values)), dtype_(dtype), left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : element_bytes(); }

  Result<size_t> take(Bytes bytes) override {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() / element_bytes(), left_));
    const size_t used = count * element_bytes();
    quintet::decode(dtype_, bytes.first(used), append(count));
    left_ -= count;
    return used;
  }

 private:
  size_t element_bytes() const { return bits_of(dtype_) / 8; }

  Dtype dtype_;
  uint64_t left_;
};

class PlainEncoder final : public BlockEncoder {
 public:
  PlainEncoder(Dtype dtype, uint64_t elements) : BlockEncoder({}, elements, kRun, Accepts::all_values), dtype_(dtype) {}

 protected:
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const size_t bytes = values.size() * bits_of(dtype_) / 8;
    encode(dtype_, values, {append(payload, bytes), bytes});
    return {};
  }

 private:
  Dtype dtype_;
};

std::optional<PayloadSize> plain_size(Dtype dtype, uint64_t elements) {
  const std::optional<uint64_t> bytes = bytes_of(dtype, elements);
  if (!bytes) return std::nullopt;
  return PayloadSize{.scales = 0, .data = *bytes};
}

Status check_decodable(Dtype dtype, const Quantization& quantization, uint64_t elements) {
  if (codec_of(quantization.scheme) == Codec::plain && !decodable(dtype)) {
    return unsupported_error("values of type {} cannot be converted to float32", name_of(dtype));
  }
  if (payload_size(dtype, quantization, elements)) return {};
  return fail(Code::format, Reason::limit, "{} values do not fill blocks of this type, or are too many", elements);
}

Failure not_supported(Scheme scheme) {
  return unsupported_error("values of type {} are not supported", name_of(scheme));
}

}  // namespace

std::optional<PayloadSize> payload_size(Dtype dtype, const Quantization& quantization, uint64_t elements) {
  switch (codec_of(quantization.scheme)) {
    case Codec::plain:
      return plain_size(dtype, elements);
    case Codec::amb:
      return amb_payload_size(quantization, elements);
    case Codec::alt:
      return alt_payload_size(quantization, elements);
    case Codec::group_int8:
      return group_payload_size(quantization, elements);
    case Codec::tensor_int:
      return plain_size(quantization.scheme == Scheme::tensor_int8 ? Dtype::i8 : Dtype::i32, elements);
    case Codec::gguf:
      return gguf_payload_size(quantization.scheme, elements);
    case Codec::none:
      break;
  }
  return std::nullopt;
}

Result<std::unique_ptr<ByteSink>> make_plain_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     std::unique_ptr<ValueSink> values) {
  QUINTET_CHECK(check_decodable(dtype, quantization, elements));
  if (codec_of(quantization.scheme) != Codec::plain) return not_supported(quantization.scheme);
  return std::make_unique<PlainDecoder>(dtype, elements, std::move(values));
}

Result<std::unique_ptr<ByteSink>> make_network_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                       std::unique_ptr<ValueSink> values) {
  QUINTET_CHECK(check_decodable(dtype, quantization, elements));
  switch (codec_of(quantization.scheme)) {
    case Codec::plain:
      return std::make_unique<PlainDecoder>(dtype, elements, std::move(values));
    case Codec::group_int8:
      return make_group_decoder(quantization, elements, std::move(values));
    case Codec::tensor_int:
      return make_tensor_int_decoder(quantization, elements, std::move(values));
    default:
      return not_supported(quantization.scheme);
  }
}

Result<std::unique_ptr<ByteSink>> make_decoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                               uint64_t data_bytes, std::unique_ptr<ValueSink> values) {
  QUINTET_CHECK(check_decodable(dtype, quantization, elements));
  switch (codec_of(quantization.scheme)) {
    case Codec::amb:
      return make_amb_decoder(quantization, elements, data_bytes, std::move(values));
    case Codec::alt:
      return make_alt_decoder(quantization, elements, std::move(values));
    case Codec::gguf:
      return make_gguf_decoder(quantization.scheme, elements, std::move(values));
    case Codec::plain:
    case Codec::group_int8:
    case Codec::tensor_int:
      return make_network_decoder(dtype, quantization, elements, std::move(values));
    case Codec::none:
      break;
  }
  return not_supported(quantization.scheme);
}

Result<std::unique_ptr<PayloadEncoder>> make_encoder(Dtype dtype, const Quantization& quantization, uint64_t elements,
                                                     uint64_t data_bytes) {
  if (!payload_size(dtype, quantization, elements)) {
    return input_error(Reason::out_of_range, "{} values do not fill blocks of this size, or are too many", elements);
  }
  switch (codec_of(quantization.scheme)) {
    case Codec::plain:
      if (dtype != Dtype::f32 && dtype != Dtype::f16 && dtype != Dtype::bf16) break;
      return std::make_unique<PlainEncoder>(dtype, elements);
    case Codec::amb:
      if (quantization.scheme == Scheme::adaptive) return make_adaptive_encoder(quantization, elements, data_bytes);
      return make_amb_encoder(quantization, elements);
    case Codec::alt:
      return make_alt_encoder(quantization, elements);
    case Codec::group_int8:
      return make_group_encoder(quantization, elements);
    case Codec::tensor_int:
      return make_tensor_int_encoder(quantization, elements);
    case Codec::gguf:
    case Codec::none:
      break;
  }
  const bool plain = quantization.scheme == Scheme::none;
  return unsupported_error("values of type {} can be read but not written",
                           plain ? name_of(dtype) : name_of(quantization.scheme));
}

}  // namespace quintet
