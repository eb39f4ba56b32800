#include "tensor/codecs/alt.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tensor/codecs/bit_packing.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/quantize.h"

namespace quintet {
namespace {

class AltDecoder final : public PiecewiseDecoder {
 public:
  AltDecoder(const Quantization& quantization, uint64_t elements, std::unique_ptr<ValueSink> values)
      : PiecewiseDecoder(std::move(values)), quantization_(quantization), left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : 1; }

  Result<size_t> take(Bytes bytes) override {
    const bool packed = quantization_.scheme == Scheme::qint4_packed;
    const bool affine = quantization_.min != 0 || quantization_.max != 0;
    const size_t in_byte = packed ? 2 : 1;
    const size_t used = static_cast<size_t>(std::min<uint64_t>(bytes.size(), left_ / in_byte + left_ % in_byte));
    const std::span<float> out = append(static_cast<size_t>(std::min<uint64_t>(used * in_byte, left_)));
    left_ -= out.size();
    if (!affine) {
      unpack(packed ? 4 : 8, bytes.data(), quantization_.delta, out);
    } else if (packed) {
      for (size_t i = 0; i < out.size() / 2; ++i) {
        out[2 * i] = affine_value(bytes[i] & std::byte{15});
        out[2 * i + 1] = affine_value(bytes[i] >> 4);
      }
      if (out.size() % 2 != 0) out.back() = affine_value(bytes[used - 1] & std::byte{15});
    } else {
      for (size_t i = 0; i < out.size(); ++i) out[i] = affine_value(bytes[i]);
    }
    return used;
  }

 private:
  // In double, so that it is rounded once.
  float affine_value(std::byte u) const {
    const double above_min = std::to_integer<int>(u) * static_cast<double>(quantization_.delta);
    return static_cast<float>(static_cast<double>(quantization_.min) + above_min);
  }

  Quantization quantization_;
  uint64_t left_;
};

class AltEncoder final : public BlockEncoder {
 public:
  AltEncoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, 0, Accepts::finite_values) {
    quantization_.delta = quantization_.min = quantization_.max = 0;
  }

 protected:
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    QUINTET_CHECK(find_parameters(values));
    const bool packed = quantization_.scheme == Scheme::qint4_packed;
    const unsigned bits = packed ? 4 : 8;
    constexpr size_t kTogether = 64;
    std::array<int8_t, kTogether> q;
    std::byte* out = append(payload, static_cast<size_t>(packed_bytes(bits, values.size())));
    while (!values.empty()) {
      const size_t count = std::min(values.size(), kTogether);
      quantize(values.first(count), std::span(q).first(count));
      pack(bits, std::span(q).first(count), out);
      values = values.subspan(count);
      out += packed_bytes(bits, count);
    }
    return {};
  }

 private:
  bool wide() const { return quantization_.scheme == Scheme::qint8; }
  float limit() const { return wide() ? 127.0F : 7.0F; }
  float steps() const { return wide() ? 255.0F : 15.0F; }
  bool affine() const { return quantization_.min != 0 || quantization_.max != 0; }

  // A tensor of zeros is symmetric in both cases, as min and max show.
  Status find_parameters(std::span<const float> values) {
    if (!quantization_.asymmetric) {
      quantization_.delta = float_scale(values, limit());
      return {};
    }
    const ValueRange range = range_of(values);
    if (std::isinf(range.max - range.min)) {
      return input_error(Reason::out_of_range, "the range of the values is too large for min + u * delta");
    }
    quantization_.min = range.min;
    quantization_.max = range.max;
    quantization_.delta = (range.max - range.min) / steps();
    return {};
  }

  void quantize(std::span<const float> values, std::span<int8_t> q) const {
    if (!affine()) return quantize_symmetric(values, quantization_.delta, limit(), q);
    for (size_t i = 0; i < values.size(); ++i) {
      const float u = quantization_.delta == 0 ? 0 : (values[i] - quantization_.min) / quantization_.delta;
      q[i] = static_cast<int8_t>(static_cast<uint8_t>(round_half_even(std::min(u, steps()))));
    }
  }
};

}  // namespace

std::optional<PayloadSize> alt_payload_size(const Quantization& quantization, uint64_t elements) {
  const bool packed = quantization.scheme == Scheme::qint4_packed;
  return PayloadSize{.scales = 0, .data = packed ? elements / 2 + elements % 2 : elements};
}

std::unique_ptr<ByteSink> make_alt_decoder(const Quantization& quantization, uint64_t elements,
                                           std::unique_ptr<ValueSink> values) {
  return std::make_unique<AltDecoder>(quantization, elements, std::move(values));
}

std::unique_ptr<PayloadEncoder> make_alt_encoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<AltEncoder>(quantization, elements);
}

}  // namespace quintet
