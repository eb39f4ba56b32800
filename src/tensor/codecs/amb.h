#pragma once
// The quantizations of AMB (docs/formats/amb.md, "Weights"). The flattened tensor is divided into blocks that share a
// scale. A short last block is padded with zeros, and every block starts at a byte.
//   INT8, INT4, INT5       [scales of all blocks][values of all blocks]
//   INT4BLOCK, INT5BLOCK   per block [scale][values]
//   ADAPTIVE               [codes: two bits per block][scales of the blocks that have one][values of all blocks]

#include <vector>

#include "tensor/codecs/piecewise.h"

namespace quintet {

// Bits of one value.
constexpr unsigned bits_of(BlockCode code) {
  constexpr uint8_t kBits[] = {4, 5, 8, 16};
  return kBits[static_cast<size_t>(code)];
}

// The largest q that a quantizer produces.
constexpr float limit_of(BlockCode code) {
  constexpr float kLimits[] = {7, 15, 127};
  return kLimits[static_cast<size_t>(code)];
}

// For all blocks, unless the scheme is ADAPTIVE.
BlockCode code_of(Scheme scheme);

// INT4BLOCK and INT5BLOCK.
bool scale_in_block(Scheme scheme);

struct BlockGrid {
  uint64_t blocks = 0;
  uint64_t values = 0;  // of one block
};

// Block size 0: one block with exactly the size of the tensor.
BlockGrid block_grid(const Quantization& quantization, uint64_t elements);

size_t scale_bytes(const Quantization& quantization);

// Size of an ADAPTIVE block, including its scale. Requires values * 16 to fit 64 bits.
uint64_t adaptive_block_bytes(const Quantization& quantization, uint64_t values, BlockCode code);

// The size of ADAPTIVE data, from the codes at its start: `codes` are these (blocks + 3) / 4 bytes. Nothing if it does
// not fit 64 bits.
std::optional<uint64_t> adaptive_data_bytes(const Quantization& quantization, uint64_t elements, Bytes codes);

// Like payload_size(), for these schemes.
std::optional<PayloadSize> amb_payload_size(const Quantization& quantization, uint64_t elements);

// Both require that amb_payload_size() returned a size.
std::unique_ptr<ByteSink> make_amb_decoder(const Quantization& quantization, uint64_t elements, uint64_t data_bytes,
                                           std::unique_ptr<ValueSink> values);
std::unique_ptr<PayloadEncoder> make_amb_encoder(const Quantization& quantization, uint64_t elements);

// ADAPTIVE: the precision of each block depends on its error, under a budget of bytes that is met exactly
// (adaptive_budget.h). Fails if no choice of codes needs `data_bytes`. Blocks with infinities or NaN are FP16. If the
// budget has too few of those, or a value is too large for its block's FP16, encoding fails with INPUT, out_of_range.
Result<std::unique_ptr<PayloadEncoder>> make_adaptive_encoder(const Quantization& quantization, uint64_t elements,
                                                              uint64_t data_bytes);

// Shared with the ADAPTIVE encoder.
void append_scale(Dtype scale_dtype, float scale, std::vector<std::byte>& out);
void append_quantized(std::span<const float> values, BlockCode code, float scale, uint64_t block,
                      std::vector<std::byte>& out);

// Walks through a payload of these schemes, in pieces of any size: determines the code and scale of each block, and
// passes on its packed values. One class for all schemes, since they only differ in the position of scales and codes.
class AmbWalker : public PiecewiseReader {
 protected:
  AmbWalker(const Quantization& quantization, uint64_t elements, uint64_t data_bytes);

  // This many values come next, through calls of take_values().
  virtual void expect_values(size_t) {}
  // The next `count` values, all of one block. Packed padding values may follow them.
  virtual Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) = 0;

 private:
  size_t step_bytes() const final;
  Result<size_t> take(Bytes bytes) final;

  Result<size_t> take_head(Bytes bytes);
  Status expect_adaptive_scales();
  BlockCode adaptive_code(uint64_t block) const;
  BlockCode code() const { return codes_bytes_ == 0 ? code_ : adaptive_code(block_); }
  size_t block_bytes() const;
  size_t whole_blocks(size_t available) const;
  Result<size_t> take_whole_blocks(Bytes rest, size_t count);
  size_t begin_block(Bytes rest);
  uint64_t whole_values(size_t available) const;
  Result<size_t> take_packed(Bytes rest, uint64_t count);

  Quantization quantization_;
  uint64_t elements_;
  uint64_t data_bytes_;
  BlockGrid grid_;
  uint64_t elements_left_;
  bool scale_in_block_;
  BlockCode code_;  // of all blocks, unless they have their own

  std::vector<std::byte> head_;  // [codes][scales], as far as they have arrived
  uint64_t codes_bytes_ = 0;
  uint64_t head_bytes_ = 0;
  size_t next_scale_ = 0;  // position in head_

  uint64_t block_ = 0;
  uint64_t at_ = 0;  // finished values of the block, a multiple of eight
  bool begun_ = false;
  float scale_ = 0;
};

}  // namespace quintet
