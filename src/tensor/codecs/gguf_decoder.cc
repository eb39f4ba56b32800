#include <algorithm>

#include "base/checked.h"
#include "base/half.h"
#include "tensor/block_types.h"
#include "tensor/codecs/gguf_blocks.h"
#include "tensor/codecs/piecewise.h"

namespace quintet {
namespace {

void write_values(const BlockLayout& type, const BlockValues& block, float* out) {
  const float unit = f16_to_f32(block.unit), offset_unit = f16_to_f32(block.offset_unit);
  for (size_t group = 0; group < type.values / type.group; ++group, out += type.group) {
    const int8_t* q = block.q + group * type.group;
    const float scale = unit * block.scales[group];
    if (type.has_offsets) {
      const float offset = offset_unit * block.offsets[group];
      for (size_t i = 0; i < type.group; ++i) out[i] = static_cast<float>(q[i]) * scale + offset;
    } else {
      for (size_t i = 0; i < type.group; ++i) out[i] = static_cast<float>(q[i]) * scale;
    }
  }
}

class GgufDecoder final : public PiecewiseDecoder {
 public:
  GgufDecoder(Scheme scheme, uint64_t elements, std::unique_ptr<ValueSink> values)
      : PiecewiseDecoder(std::move(values)),
        layout_(layout_of(scheme)),
        decode_block_(block_decoder(scheme)),
        blocks_left_(elements / layout_.values) {
    block_.q = q_.data();
  }

 protected:
  size_t step_bytes() const override { return blocks_left_ == 0 ? 0 : layout_.bytes; }

  Result<size_t> take(Bytes bytes) override {
    const size_t blocks = static_cast<size_t>(std::min<uint64_t>(bytes.size() / layout_.bytes, blocks_left_));
    float* out = append(blocks * layout_.values).data();
    for (size_t i = 0; i < blocks; ++i, out += layout_.values) {
      decode_block_(bytes.data() + i * layout_.bytes, block_);
      write_values(layout_, block_, out);
    }
    blocks_left_ -= blocks;
    return blocks * layout_.bytes;
  }

 private:
  const BlockLayout layout_;
  DecodeBlock* decode_block_;
  uint64_t blocks_left_;
  BlockValues block_;
  std::array<int8_t, BlockValues::kMaxValues> q_;
};

}  // namespace

std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements) {
  const BlockLayout type = layout_of(scheme);
  if (elements % type.values != 0) return std::nullopt;
  const std::optional<uint64_t> bytes = checked_mul(elements / type.values, type.bytes);
  if (!bytes) return std::nullopt;
  return PayloadSize{.scales = 0, .data = *bytes};
}

std::unique_ptr<ByteSink> make_gguf_decoder(Scheme scheme, uint64_t elements, std::unique_ptr<ValueSink> values) {
  return std::make_unique<GgufDecoder>(scheme, elements, std::move(values));
}

}  // namespace quintet
