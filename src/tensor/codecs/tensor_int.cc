#include "tensor/codecs/tensor_int.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tensor/codecs/block_encoder.h"
#include "tensor/codecs/group_int8.h"
#include "tensor/codecs/piecewise_decoder.h"
#include "tensor/symmetric.h"
#include "tensor/value_range.h"

namespace quintet {
namespace {

class TensorIntDecoder final : public PiecewiseDecoder {
 public:
  TensorIntDecoder(const Quantization& quantization, uint64_t elements)
      : stored_(quantization.scheme == Scheme::tensor_int32 ? Dtype::i32 : Dtype::i8),
        scale_(quantization.scale),
        zero_point_(stored_ == Dtype::i8 ? quantization.zero_point : 0),
        left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : bits_of(stored_) / 8; }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    const size_t width = bits_of(stored_) / 8;
    const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() / width, left_));
    const std::span<float> out = append(values, count);
    if (stored_ == Dtype::i32) {
      quintet::decode(stored_, bytes.first(count * width), out);
      for (float& value : out) value *= scale_;
    } else {
      for (size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(static_cast<int8_t>(bytes[i]) - zero_point_) * scale_;
      }
    }
    left_ -= count;
    return count * width;
  }

 private:
  Dtype stored_;
  float scale_;
  int64_t zero_point_;  // in 64 bits: it may be any number
  uint64_t left_;
};

class TensorInt8Encoder final : public BlockEncoder {
 public:
  TensorInt8Encoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, 0, Accepts::finite_values), given_(quantization.scale > 0) {
    if (!given_) quantization_.scale = kConstantScale;
    quantization_.zero_point = 0;
  }

 protected:
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const GroupParameters parameters = parameters_of(values);
    quantization_.scale = parameters.scale;
    quantization_.zero_point = parameters.zero_point;
    std::byte* out = append(payload, values.size());
    const int lowest = quantization_.asymmetric ? INT8_MIN : -INT8_MAX;
    for (size_t i = 0; i < values.size(); ++i) {
      out[i] = static_cast<std::byte>(std::max<int>(quantize_asymmetric(values[i], parameters), lowest));
    }
    return {};
  }

 private:
  GroupParameters parameters_of(std::span<const float> values) const {
    if (given_) return {.scale = quantization_.scale};
    return quantization_.asymmetric ? asymmetric(values) : symmetric(values);
  }

  static GroupParameters asymmetric(std::span<const float> values) {
    const ValueRange range = range_of(values);
    const float ends[] = {std::min(range.min, 0.0F), std::max(range.max, 0.0F)};
    return asymmetric_parameters(ends);
  }

  static GroupParameters symmetric(std::span<const float> values) {
    const float scale = float_scale(values, 127);
    return {.scale = scale == 0 ? kConstantScale : scale};
  }

  bool given_;  // whether the scale is the caller's
};

class TensorInt32Encoder final : public BlockEncoder {
 public:
  TensorInt32Encoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, kRun, Accepts::finite_values) {}

 protected:
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const double scale = quantization_.scale;
    std::byte* out = append(payload, values.size() * sizeof(int32_t));
    for (const float value : values) {
      // In double: a float does not hold every int32.
      const double steps = std::nearbyint(static_cast<double>(value) / scale);
      const int32_t q = static_cast<int32_t>(std::clamp<double>(steps, INT32_MIN, INT32_MAX));
      std::memcpy(out, &q, sizeof(q));
      out += sizeof(q);
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<PayloadDecoder> make_tensor_int_decoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<TensorIntDecoder>(quantization, elements);
}

Result<std::unique_ptr<PayloadEncoder>> make_tensor_int_encoder(const Quantization& quantization, uint64_t elements) {
  const bool wide = quantization.scheme == Scheme::tensor_int32;
  if (!std::isfinite(quantization.scale) || (wide && quantization.scale <= 0)) {
    return input_error(Reason::out_of_range, "the scale of a quantized tensor is finite and above 0");
  }
  if (!wide) return std::make_unique<TensorInt8Encoder>(quantization, elements);
  return std::make_unique<TensorInt32Encoder>(quantization, elements);
}

}  // namespace quintet
