#include "tensor/codecs/tinyruntime.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

uint64_t group_of(const Quantization& quantization, uint64_t elements) {
  return quantization.block == 0 ? elements : quantization.block;
}

uint64_t groups_of(const Quantization& quantization, uint64_t elements) {
  return elements == 0 ? 0 : elements / group_of(quantization, elements);
}

uint64_t parameter_bytes(const Quantization& quantization) { return quantization.asymmetric ? 8 : 4; }

template <class T>
T load(const std::vector<std::byte>& bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

class GroupDecoder final : public PiecewiseDecoder {
 public:
  GroupDecoder(const Quantization& quantization, uint64_t elements, std::unique_ptr<ValueSink> values)
      : PiecewiseDecoder(std::move(values)),
        asymmetric_(quantization.asymmetric),
        group_(group_of(quantization, elements)),
        groups_(groups_of(quantization, elements)),
        head_bytes_(groups_ * parameter_bytes(quantization)),
        left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : 1; }

  Result<size_t> take(Bytes bytes) override {
    if (head_.size() < head_bytes_) {
      const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), head_bytes_ - head_.size()));
      head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
      return count;
    }
    size_t used = 0;
    while (used < bytes.size() && left_ != 0) {
      const uint64_t group_left = (left_ - 1) % group_ + 1;
      const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() - used, group_left));
      decode_group(groups_ - 1 - (left_ - 1) / group_, bytes.subspan(used, count), append(count));
      left_ -= count;
      used += count;
    }
    return used;
  }

 private:
  // In 64 bits, because a zero point may be any number.
  void decode_group(uint64_t group, Bytes bytes, std::span<float> values) const {
    const float scale = load<float>(head_, group);
    const int64_t zero_point = asymmetric_ ? load<int32_t>(head_, groups_ + group) : 0;
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(static_cast<int8_t>(bytes[i]) - zero_point) * scale;
    }
  }

  bool asymmetric_;
  uint64_t group_;
  uint64_t groups_;
  uint64_t head_bytes_;
  uint64_t left_;                // remaining values; groups are complete
  std::vector<std::byte> head_;  // [scales][zero points], as far as they have arrived
};

class GroupEncoder final : public BlockEncoder {
 public:
  GroupEncoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, quantization.block, Accepts::finite_values) {}

 protected:
  // Scales are returned at once; zero points and values wait for the last of them.
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const size_t begin = q_.size();
    q_.resize(begin + values.size());
    const std::span<int8_t> q = std::span(q_).subspan(begin);
    GroupParameters parameters;
    if (quantization_.asymmetric) {
      parameters = asymmetric_parameters(values);
      for (size_t i = 0; i < q.size(); ++i) q[i] = quantize_asymmetric(values[i], parameters);
      zero_points_.push_back(parameters.zero_point);
    } else {
      parameters.scale = quantize_int8(values, q);
    }
    std::memcpy(append(payload, sizeof(float)), &parameters.scale, sizeof(float));
    return {};
  }

  void append_rest(std::vector<std::byte>& payload) override {
    const auto zero_points = std::as_bytes(std::span(zero_points_));
    const auto q = std::as_bytes(std::span(q_));
    payload.insert(payload.end(), zero_points.begin(), zero_points.end());
    payload.insert(payload.end(), q.begin(), q.end());
    zero_points_ = {};
    q_ = {};
  }

 private:
  std::vector<int32_t> zero_points_;
  std::vector<int8_t> q_;
};

class TensorIntDecoder final : public PiecewiseDecoder {
 public:
  TensorIntDecoder(const Quantization& quantization, uint64_t elements, std::unique_ptr<ValueSink> values)
      : PiecewiseDecoder(std::move(values)),
        stored_(quantization.scheme == Scheme::tensor_int32 ? Dtype::i32 : Dtype::i8),
        scale_(quantization.scale),
        zero_point_(stored_ == Dtype::i8 ? quantization.zero_point : 0),
        left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : bits_of(stored_) / 8; }

  Result<size_t> take(Bytes bytes) override {
    const size_t width = bits_of(stored_) / 8;
    const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() / width, left_));
    const std::span<float> out = append(count);
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
  int64_t zero_point_;  // in 64 bits, because it may be any number
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

  bool given_;  // whether the scale was given by the caller
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
      // In double, because a float cannot represent every int32.
      const double steps = std::nearbyint(static_cast<double>(value) / scale);
      const int32_t q = static_cast<int32_t>(std::clamp<double>(steps, INT32_MIN, INT32_MAX));
      std::memcpy(out, &q, sizeof(q));
      out += sizeof(q);
    }
    return {};
  }
};

}  // namespace

std::optional<PayloadSize> group_payload_size(const Quantization& quantization, uint64_t elements) {
  if (elements != 0 && elements % group_of(quantization, elements) != 0) return std::nullopt;
  const std::optional<uint64_t> scales = checked_mul(groups_of(quantization, elements), parameter_bytes(quantization));
  if (!scales || !checked_add(*scales, elements)) return std::nullopt;
  return PayloadSize{.scales = *scales, .data = elements};
}

std::unique_ptr<ByteSink> make_group_decoder(const Quantization& quantization, uint64_t elements,
                                             std::unique_ptr<ValueSink> values) {
  return std::make_unique<GroupDecoder>(quantization, elements, std::move(values));
}

std::unique_ptr<PayloadEncoder> make_group_encoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<GroupEncoder>(quantization, elements);
}

std::unique_ptr<ByteSink> make_tensor_int_decoder(const Quantization& quantization, uint64_t elements,
                                                  std::unique_ptr<ValueSink> values) {
  return std::make_unique<TensorIntDecoder>(quantization, elements, std::move(values));
}

Result<std::unique_ptr<PayloadEncoder>> make_tensor_int_encoder(const Quantization& quantization, uint64_t elements) {
  const bool wide = quantization.scheme == Scheme::tensor_int32;
  if (!std::isfinite(quantization.scale) || (wide && quantization.scale <= 0)) {
    return input_error(Reason::out_of_range, "the scale of a quantized tensor must be finite and above 0");
  }
  if (!wide) return std::make_unique<TensorInt8Encoder>(quantization, elements);
  return std::make_unique<TensorInt32Encoder>(quantization, elements);
}

}  // namespace quintet
