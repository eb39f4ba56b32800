#include "tensor/codecs/gguf_blocks.h"

#include <algorithm>

#include "base/checked.h"
#include "tensor/codecs/gguf_split.h"
#include "tensor/codecs/piecewise_decoder.h"

namespace quintet {
namespace {

void write_values(const GgufType& type, const GgufBlock& parts, float* out) {
  for (size_t group = 0; group < type.values / type.group; ++group, out += type.group) {
    const int8_t* q = parts.q.data() + group * type.group;
    const float scale = parts.scales[group];
    if (type.has_minimums) {
      const float minimum = parts.minimums[group];
      for (size_t i = 0; i < type.group; ++i) out[i] = static_cast<float>(q[i]) * scale + minimum;
    } else {
      for (size_t i = 0; i < type.group; ++i) out[i] = static_cast<float>(q[i]) * scale;
    }
  }
}

class GgufDecoder final : public PiecewiseDecoder {
 public:
  GgufDecoder(Scheme scheme, uint64_t elements) : type_(gguf_type(scheme)), blocks_left_(elements / type_.values) {}

 protected:
  size_t step_bytes() const override { return blocks_left_ == 0 ? 0 : type_.bytes; }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    const size_t blocks = static_cast<size_t>(std::min<uint64_t>(bytes.size() / type_.bytes, blocks_left_));
    float* out = append(values, blocks * type_.values).data();
    for (size_t i = 0; i < blocks; ++i, out += type_.values) {
      type_.split(bytes.data() + i * type_.bytes, parts_);
      write_values(type_, parts_, out);
    }
    blocks_left_ -= blocks;
    return blocks * type_.bytes;
  }

 private:
  const GgufType& type_;
  uint64_t blocks_left_;
  GgufBlock parts_;
};

}  // namespace

std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements) {
  const GgufType& type = gguf_type(scheme);
  if (elements % type.values != 0) return std::nullopt;
  const std::optional<uint64_t> bytes = checked_mul(elements / type.values, type.bytes);
  if (!bytes) return std::nullopt;
  return PayloadSize{.scales = 0, .data = *bytes};
}

std::unique_ptr<PayloadDecoder> make_gguf_decoder(Scheme scheme, uint64_t elements) {
  return std::make_unique<GgufDecoder>(scheme, elements);
}

}  // namespace quintet
