// One decoder for all quantizations of AMB: they differ in where a block's scale and code stand.

#include <algorithm>

#include "base/byte_reader.h"
#include "base/half.h"
#include "tensor/amb_blocks.h"
#include "tensor/bit_packing.h"
#include "tensor/piecewise_decoder.h"

namespace quintet {
namespace {

class AmbDecoder final : public PiecewiseDecoder {
 public:
  AmbDecoder(const Quantization& quantization, uint64_t elements, uint64_t data_bytes)
      : quantization_(quantization),
        elements_(elements),
        data_bytes_(data_bytes),
        grid_(block_grid(quantization, elements)),
        elements_left_(elements),
        scale_in_block_(scale_in_block(quantization.scheme)),
        code_(code_of(quantization.scheme)) {
    if (quantization.scheme == Scheme::adaptive) {
      codes_bytes_ = head_bytes_ = grid_.blocks / 4 + (grid_.blocks % 4 != 0);
    } else if (!scale_in_block_) {
      head_bytes_ = grid_.blocks * scale_bytes(quantization);
    }
  }

 protected:
  size_t step_bytes() const override {
    if (head_.size() < head_bytes_) return 1;
    if (block_ == grid_.blocks) return 0;
    if (scale_in_block_ && !begun_) return scale_bytes(quantization_);
    return static_cast<size_t>(packed_bytes(bits_of(code()), std::min(kPackedTogether, grid_.values - at_)));
  }

  Result<size_t> decode(Bytes bytes, std::vector<float>& values) override {
    if (head_.size() < head_bytes_) return take_head(bytes);
    size_t used = 0;
    while (block_ < grid_.blocks) {
      const Bytes rest = bytes.subspan(used);
      if (const size_t whole = whole_blocks(rest.size())) {
        used += decode_whole_blocks(rest, whole, values);
        continue;
      }
      if (!begun_) {
        if (scale_in_block_ && rest.size() < scale_bytes(quantization_)) break;
        used += begin_block(rest);
        continue;
      }
      const uint64_t count = whole_values(rest.size());
      if (count == 0) break;
      used += decode_values(rest, count, values);
    }
    return used;
  }

 private:
  // Codes and scales that stand before all values are kept: nothing else is.
  Result<size_t> take_head(Bytes bytes) {
    const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), head_bytes_ - head_.size()));
    head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
    if (head_.size() == codes_bytes_ && codes_bytes_ == head_bytes_) QUINTET_CHECK(expect_adaptive_scales());
    return count;
  }

  // The codes are complete: they say what comes, and it has to be what is there.
  Status expect_adaptive_scales() {
    if (adaptive_data_bytes(quantization_, elements_, head_) != data_bytes_) {
      return fail({.code = Code::format,
                   .reason = Reason::mismatch,
                   .detail = "the blocks' codes need another size than the data has"});
    }
    next_scale_ = head_.size();
    for (uint64_t block = 0; block < grid_.blocks; ++block) {
      if (adaptive_code(block) != BlockCode::fp16) head_bytes_ += scale_bytes(quantization_);
    }
    return {};
  }

  BlockCode adaptive_code(uint64_t block) const {
    const unsigned byte = std::to_integer<unsigned>(head_[static_cast<size_t>(block / 4)]);
    return static_cast<BlockCode>(byte >> (block % 4 * 2) & 3);
  }

  BlockCode code() const { return codes_bytes_ == 0 ? code_ : adaptive_code(block_); }

  size_t block_bytes() const {
    return scale_bytes(quantization_) + static_cast<size_t>(packed_bytes(bits_of(code_), grid_.values));
  }

  // Blocks with their scales inside that `available` bytes hold whole, without padding.
  size_t whole_blocks(size_t available) const {
    if (!scale_in_block_ || begun_) return 0;
    return static_cast<size_t>(std::min<uint64_t>(available / block_bytes(), elements_left_ / grid_.values));
  }

  // Most blocks are such, and many: nothing is looked at for each that is the same for all.
  size_t decode_whole_blocks(Bytes rest, size_t count, std::vector<float>& values) {
    const auto size = static_cast<size_t>(grid_.values);
    const size_t bytes = block_bytes();
    const size_t scale_size = scale_bytes(quantization_);
    const unsigned bits = bits_of(code_);
    const bool half = quantization_.scale_dtype == Dtype::f16;
    std::span<float> out = append(values, count * size);
    for (const std::byte* block = rest.data(); !out.empty(); block += bytes, out = out.subspan(size)) {
      const Bytes scale(block, scale_size);
      scale_ = half ? f16_to_f32(load_le<uint16_t>(scale, 0)) : load_le<float>(scale, 0);
      unpack(bits, block + scale_size, scale_, out.first(size));
    }
    elements_left_ -= uint64_t{count} * size;
    block_ += count;
    return count * bytes;
  }

  // Finds the block's scale; returns the bytes of it that lie in front of the values.
  size_t begin_block(Bytes rest) {
    begun_ = true;
    if (code() == BlockCode::fp16) return 0;
    const size_t bytes = scale_bytes(quantization_);
    if (!scale_in_block_) {
      rest = Bytes(head_).subspan(next_scale_);
      next_scale_ += bytes;
    }
    quintet::decode(quantization_.scale_dtype, rest.first(bytes), {&scale_, 1});
    return scale_in_block_ ? bytes : 0;
  }

  // Values of the block, padding included, that `available` bytes hold: all that are left, or a multiple of eight.
  uint64_t whole_values(size_t available) const {
    const uint64_t left = grid_.values - at_;
    const unsigned bits = bits_of(code());
    if (available >= packed_bytes(bits, left)) return left;
    return available / bits * kPackedTogether;
  }

  size_t decode_values(Bytes rest, uint64_t count, std::vector<float>& values) {
    const unsigned bits = bits_of(code());
    const size_t present = static_cast<size_t>(std::min(count, elements_left_));  // the rest is padding
    const std::span<float> out = append(values, present);
    if (code() == BlockCode::fp16) {
      quintet::decode(Dtype::f16, rest.first(present * 2), out);
    } else {
      unpack(bits, rest.data(), scale_, out);
    }
    elements_left_ -= present;
    at_ += count;
    if (at_ == grid_.values) {
      ++block_;
      at_ = 0;
      begun_ = false;
    }
    return static_cast<size_t>(packed_bytes(bits, count));
  }

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

}  // namespace

std::unique_ptr<PayloadDecoder> make_amb_decoder(const Quantization& quantization, uint64_t elements,
                                                 uint64_t data_bytes) {
  return std::make_unique<AmbDecoder>(quantization, elements, data_bytes);
}

}  // namespace quintet
