#include "tensor/codecs/group_int8.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/checked.h"
#include "tensor/codecs/block_encoder.h"
#include "tensor/codecs/piecewise_decoder.h"
#include "tensor/quantize_int8.h"
#include "tensor/symmetric.h"
#include "tensor/value_range.h"

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
  GroupDecoder(const Quantization& quantization, uint64_t elements)
      : asymmetric_(quantization.asymmetric),
        group_(group_of(quantization, elements)),
        groups_(groups_of(quantization, elements)),
        head_bytes_(groups_ * parameter_bytes(quantization)),
        left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : 1; }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    if (head_.size() < head_bytes_) {
      const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), head_bytes_ - head_.size()));
      head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
      return count;
    }
    size_t used = 0;
    while (used < bytes.size() && left_ != 0) {
      const uint64_t group_left = (left_ - 1) % group_ + 1;
      const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() - used, group_left));
      decode_group(groups_ - 1 - (left_ - 1) / group_, bytes.subspan(used, count), append(values, count));
      left_ -= count;
      used += count;
    }
    return used;
  }

 private:
  // In 64 bits: a zero point may be any number.
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
  uint64_t left_;                // values to come; groups are full
  std::vector<std::byte> head_;  // [scales][zero points], as far as they have come
};

class GroupEncoder final : public BlockEncoder {
 public:
  GroupEncoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, quantization.block, Accepts::finite_values) {}

 protected:
  // Scales go out at once; zero points and values wait for the last of them.
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

}  // namespace

GroupParameters asymmetric_parameters(std::span<const float> group) {
  const ValueRange range = range_of(group);
  const float width = range.max - range.min;
  float scale = std::isfinite(width) ? width / 255 : range.max / 255 - range.min / 255;
  if (scale == 0) scale = kConstantScale;
  constexpr float kFarthest = 0x1p30F;  // steps from 0 to the group
  scale = std::max(scale, std::max(std::fabs(range.min), std::fabs(range.max)) / kFarthest);
  return {.scale = scale, .zero_point = static_cast<int32_t>(std::nearbyint(-128 - range.min / scale))};
}

int8_t quantize_asymmetric(float value, const GroupParameters& parameters) {
  constexpr float kMostSteps = 0x1p31F;  // beyond which any zero point leaves q at its limit
  const float steps = std::clamp(std::nearbyint(value / parameters.scale), -kMostSteps, kMostSteps);
  const int64_t q = static_cast<int64_t>(steps) + parameters.zero_point;
  return static_cast<int8_t>(std::clamp<int64_t>(q, INT8_MIN, INT8_MAX));
}

std::optional<PayloadSize> group_payload_size(const Quantization& quantization, uint64_t elements) {
  if (elements != 0 && elements % group_of(quantization, elements) != 0) return std::nullopt;
  const std::optional<uint64_t> scales = checked_mul(groups_of(quantization, elements), parameter_bytes(quantization));
  if (!scales || !checked_add(*scales, elements)) return std::nullopt;
  return PayloadSize{.scales = *scales, .data = elements};
}

std::unique_ptr<PayloadDecoder> make_group_decoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<GroupDecoder>(quantization, elements);
}

std::unique_ptr<PayloadEncoder> make_group_encoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<GroupEncoder>(quantization, elements);
}

}  // namespace quintet
