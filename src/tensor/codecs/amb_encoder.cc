// The encoder of AMB's quantizations but ADAPTIVE.

#include <algorithm>
#include <array>

#include "tensor/codecs/amb_blocks.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/codecs/block_encoder.h"
#include "tensor/symmetric.h"

namespace quintet {
namespace {

class AmbEncoder final : public BlockEncoder {
 public:
  AmbEncoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, quantization.block, Accepts::finite_values),
        block_(block_grid(quantization, elements).values),
        code_(code_of(quantization.scheme)) {}

 protected:
  // Scales that stand apart go out at once: only the packed values wait for the end.
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const Dtype scale_dtype = quantization_.scale_dtype;
    QUINTET_TRY(const float scale, symmetric_scale(values, limit_of(code_), scale_dtype));
    append_scale(scale_dtype, scale, payload);
    append_quantized(values, code_, scale, block_, scale_in_block(quantization_.scheme) ? payload : waiting_);
    return {};
  }

  void append_rest(std::vector<std::byte>& payload) override {
    payload.insert(payload.end(), waiting_.begin(), waiting_.end());
    waiting_ = {};
  }

 private:
  uint64_t block_;
  BlockCode code_;
  std::vector<std::byte> waiting_;
};

}  // namespace

std::unique_ptr<PayloadEncoder> make_amb_encoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<AmbEncoder>(quantization, elements);
}

void append_scale(Dtype scale_dtype, float scale, std::vector<std::byte>& out) {
  const size_t bytes = bits_of(scale_dtype) / 8;
  encode(scale_dtype, {&scale, 1}, {append(out, bytes), bytes});
}

void append_quantized(std::span<const float> values, BlockCode code, float scale, uint64_t block,
                      std::vector<std::byte>& out) {
  constexpr size_t kTogether = 64;  // a multiple of kPackedTogether
  std::array<int8_t, kTogether> q;
  const unsigned bits = bits_of(code);
  std::byte* packed = append(out, static_cast<size_t>(packed_bytes(bits, block)));
  while (!values.empty()) {
    const size_t count = std::min(values.size(), kTogether);
    quantize_symmetric(values.first(count), scale, limit_of(code), std::span(q).first(count));
    pack(bits, std::span(q).first(count), packed);
    values = values.subspan(count);
    packed += packed_bytes(bits, count);
  }
}

}  // namespace quintet
