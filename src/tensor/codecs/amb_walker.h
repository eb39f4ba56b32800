#pragma once
// A walk through a payload of AMB's quantizations, in pieces of any size: it finds each block's code and scale, and
// hands on the values as they are packed. One for all of them: they differ in where a block's scale and code stand.

#include <vector>

#include "tensor/codecs/amb_blocks.h"
#include "tensor/codecs/piecewise_reader.h"

namespace quintet {

class AmbWalker : protected PiecewiseReader {
 protected:
  AmbWalker(const Quantization& quantization, uint64_t elements, uint64_t data_bytes);
  ~AmbWalker() = default;

  // So many values come next, by calls of take_values().
  virtual void expect_values(size_t) {}
  // The next `count` values, all of one block; more packed ones, which are padding, may lie behind them.
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
  BlockCode code_;  // of all blocks, where they do not have their own

  std::vector<std::byte> head_;  // [codes][scales], as far as they have come
  uint64_t codes_bytes_ = 0;
  uint64_t head_bytes_ = 0;
  size_t next_scale_ = 0;  // place in head_

  uint64_t block_ = 0;
  uint64_t at_ = 0;  // values of the block that are done, a multiple of eight
  bool begun_ = false;
  float scale_ = 0;
};

}  // namespace quintet
