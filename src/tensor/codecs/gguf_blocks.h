#pragma once
// The block types of GGUF, as ggml defines them (docs/formats/gguf.md, "Tensor types"). They are read and not written.
//
// A decoder of blocks takes one block apart: into small integers, which a matrix can keep as they are, and the scales
// and offsets of the groups that share them.
//
//   value = q * scale, or q * scale + offset
//
// A new type is a decoder here and a row in tensor/block_types.h.

#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor/codecs/payload.h"

namespace quintet {

struct BlockValues {
  static constexpr size_t kMaxValues = 256;
  static constexpr size_t kMaxGroups = 16;

  std::array<int8_t, kMaxValues> q;  // two's complement; counted from 0 where there are offsets
  std::array<float, kMaxGroups> scales, offsets;
};

using DecodeBlock = void(const std::byte* block, BlockValues& values);

DecodeBlock decode_q4_0, decode_q4_1, decode_q5_0, decode_q5_1, decode_q8_0, decode_q4_k, decode_q5_k, decode_q6_k;

// Nothing where `elements` do not fill whole blocks.
std::optional<PayloadSize> gguf_payload_size(Scheme scheme, uint64_t elements);

// Requires that gguf_payload_size() gave a size.
std::unique_ptr<PayloadDecoder> make_gguf_decoder(Scheme scheme, uint64_t elements);

}  // namespace quintet
