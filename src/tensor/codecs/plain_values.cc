#include "tensor/codecs/plain_values.h"

#include <algorithm>

#include "tensor/codecs/block_encoder.h"
#include "tensor/codecs/piecewise_decoder.h"

namespace quintet {
namespace {

class PlainDecoder final : public PiecewiseDecoder {
 public:
  PlainDecoder(Dtype dtype, uint64_t elements) : dtype_(dtype), left_(elements) {}

 protected:
  size_t step_bytes() const override { return left_ == 0 ? 0 : element_bytes(); }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size() / element_bytes(), left_));
    const size_t used = count * element_bytes();
    quintet::decode(dtype_, bytes.first(used), append(values, count));
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

}  // namespace

std::unique_ptr<PayloadDecoder> make_plain_decoder(Dtype dtype, uint64_t elements) {
  return std::make_unique<PlainDecoder>(dtype, elements);
}

std::unique_ptr<PayloadEncoder> make_plain_encoder(Dtype dtype, uint64_t elements) {
  return std::make_unique<PlainEncoder>(dtype, elements);
}

}  // namespace quintet
