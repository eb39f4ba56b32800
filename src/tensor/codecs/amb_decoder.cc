#include "tensor/codecs/amb_walker.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/codecs/piecewise_decoder.h"

namespace quintet {
namespace {

class AmbDecoder final : public PayloadDecoder, private AmbWalker {
 public:
  AmbDecoder(const Quantization& quantization, uint64_t elements, uint64_t data_bytes)
      : AmbWalker(quantization, elements, data_bytes) {}

  Status write(Bytes piece, std::vector<float>& values) override {
    values_ = &values;
    return read(piece);
  }
  Status finish() override { return read_end(); }

 private:
  void expect_values(size_t count) override { out_ = append(*values_, count).data(); }

  Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) override {
    if (code == BlockCode::fp16) {
      decode(Dtype::f16, Bytes(packed, count * 2), {out_, count});
    } else {
      unpack(bits_of(code), packed, scale, {out_, count});
    }
    out_ += count;
    return {};
  }

  std::vector<float>* values_ = nullptr;
  float* out_ = nullptr;
};

}  // namespace

std::unique_ptr<PayloadDecoder> make_amb_decoder(const Quantization& quantization, uint64_t elements,
                                                 uint64_t data_bytes) {
  return std::make_unique<AmbDecoder>(quantization, elements, data_bytes);
}

}  // namespace quintet
