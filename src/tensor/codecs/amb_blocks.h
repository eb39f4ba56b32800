#pragma once
// The quantizations of AMB (RULINGS "AMB" 6). The flattened tensor is cut into blocks that share a scale; a short last
// block is padded with zeros, and every block begins on a byte.
//   INT8, INT4, INT5       [scales of all blocks][values of all blocks]
//   INT4BLOCK, INT5BLOCK   per block [scale][values]
//   ADAPTIVE               [codes: two bits a block][scales of the blocks that have one][values of all blocks]

#include "tensor/block_code.h"
#include "tensor/codecs/payload.h"

namespace quintet {

// Bits of one value.
constexpr unsigned bits_of(BlockCode code) {
  constexpr uint8_t kBits[] = {4, 5, 8, 16};
  return kBits[static_cast<size_t>(code)];
}

// The largest q that a quantizer gives.
constexpr float limit_of(BlockCode code) {
  constexpr float kLimits[] = {7, 15, 127};
  return kLimits[static_cast<size_t>(code)];
}

// Of all blocks, where the scheme is not ADAPTIVE.
BlockCode code_of(Scheme scheme);

// INT4BLOCK and INT5BLOCK.
bool scale_in_block(Scheme scheme);

struct BlockGrid {
  uint64_t blocks = 0;
  uint64_t values = 0;  // of one block
};

// Block size 0: one block of exactly the tensor's size.
BlockGrid block_grid(const Quantization& quantization, uint64_t elements);

size_t scale_bytes(const Quantization& quantization);

// What an ADAPTIVE block takes, its scale included. Requires values * 16 to fit 64 bits.
uint64_t adaptive_block_bytes(const Quantization& quantization, uint64_t values, BlockCode code);

// The size of ADAPTIVE data, from the codes with which it begins: `codes` are those bytes, (blocks + 3) / 4 of them.
// Nothing where it does not fit 64 bits.
std::optional<uint64_t> adaptive_data_bytes(const Quantization& quantization, uint64_t elements, Bytes codes);

// As payload_size(), for these schemes.
std::optional<PayloadSize> amb_payload_size(const Quantization& quantization, uint64_t elements);

// Both require that amb_payload_size() gave a size.
std::unique_ptr<PayloadDecoder> make_amb_decoder(const Quantization& quantization, uint64_t elements,
                                                 uint64_t data_bytes);
std::unique_ptr<PayloadEncoder> make_amb_encoder(const Quantization& quantization, uint64_t elements);

// Shared with the ADAPTIVE encoder.
void append_scale(Dtype scale_dtype, float scale, std::vector<std::byte>& out);
void append_quantized(std::span<const float> values, BlockCode code, float scale, uint64_t block,
                      std::vector<std::byte>& out);

}  // namespace quintet
