#pragma once
// The block types of GGUF, as defined by ggml (docs/formats/gguf.md, "Tensor types"). They can be read but not written.
//
// A block decoder splits one block into small integers, which a matrix can store unchanged, and the scales and offsets
// of the groups that share them.
//
//   value = q * (scale * unit), or q * (scale * unit) + offset * unit of offsets
//
// A new type needs a decoder here and a row in tensor/block_types.h.

#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor/codecs/payload.h"

namespace quintet {

struct BlockValues {
  static constexpr size_t kMaxValues = 256;
  static constexpr size_t kMaxGroups = 16;

  int8_t* q;  // where the values go: two's complement; unsigned if there are offsets
  std::array<float, kMaxGroups> scales, offsets;
  // As f16. Not 1 for the types whose scales and offsets are integers of 8 bits (BlockLayout::scale_dtype).
  uint16_t unit = kOne, offset_unit = kOne;

 private:
  static constexpr uint16_t kOne = 0x3C00;
};

using DecodeBlock = void(const std::byte* block, BlockValues& values);

DecodeBlock decode_q4_0, decode_q4_1, decode_q5_0, decode_q5_1, decode_q8_0, decode_q4_k, decode_q5_k, decode_q6_k,
    decode_q2_k, decode_q3_k, decode_iq4_nl, decode_iq4_xs, decode_mxfp4, decode_iq2_xxs, decode_iq2_xs, decode_iq2_s,
    decode_iq3_xxs, decode_iq3_s, decode_iq1_s, decode_iq1_m, decode_q8_1, decode_q8_k;

// Nothing if `elements` do not fill whole blocks.
std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements);

// Requires that gguf_payload_size() returned a size.
std::unique_ptr<ByteSink> make_gguf_decoder(Scheme scheme, uint64_t elements, std::unique_ptr<ValueSink> values);

}  // namespace quintet
