#include "tensor/codecs/amb.h"

#include <algorithm>
#include <array>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/half.h"
#include "tensor/block_types.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/quantize.h"

namespace quintet {

BlockCode code_of(Scheme scheme) {
  switch (bits_of(scheme)) {
    case 8:
      return BlockCode::int8;
    case 5:
      return BlockCode::int5;
    default:
      return BlockCode::int4;
  }
}

bool scale_in_block(Scheme scheme) { return scheme == Scheme::int4_block || scheme == Scheme::int5_block; }

BlockGrid block_grid(const Quantization& quantization, uint64_t elements) {
  if (quantization.block == 0) return {.blocks = elements == 0 ? 0u : 1u, .values = elements};
  const uint64_t block = quantization.block;
  return {.blocks = elements / block + (elements % block != 0), .values = block};
}

size_t scale_bytes(const Quantization& quantization) { return quantization.scale_dtype == Dtype::f16 ? 2 : 4; }

uint64_t adaptive_block_bytes(const Quantization& quantization, uint64_t values, BlockCode code) {
  return packed_bytes(bits_of(code), values) + (code == BlockCode::fp16 ? 0 : scale_bytes(quantization));
}

std::optional<uint64_t> adaptive_data_bytes(const Quantization& quantization, uint64_t elements, Bytes codes) {
  const BlockGrid grid = block_grid(quantization, elements);
  if (!checked_mul(grid.values, bits_of(BlockCode::fp16))) return std::nullopt;
  std::array<uint64_t, kBlockCodes> counts = {};
  for (uint64_t block = 0; block < grid.blocks; ++block) {
    const unsigned byte = std::to_integer<unsigned>(codes[static_cast<size_t>(block / 4)]);
    ++counts[byte >> (block % 4 * 2) & 3];
  }
  std::optional<uint64_t> sum = codes.size();
  for (size_t i = 0; i < counts.size() && sum; ++i) {
    const uint64_t one = adaptive_block_bytes(quantization, grid.values, static_cast<BlockCode>(i));
    const std::optional<uint64_t> all = checked_mul(counts[i], one);
    sum = all ? checked_add(*sum, *all) : std::nullopt;
  }
  return sum;
}

std::optional<PayloadSize> amb_payload_size(const Quantization& quantization, uint64_t elements) {
  const BlockGrid grid = block_grid(quantization, elements);
  if (!checked_mul(grid.values, bits_of(BlockCode::fp16))) return std::nullopt;
  const size_t scale = scale_bytes(quantization);
  if (quantization.scheme == Scheme::adaptive) {
    const uint64_t min = std::min(adaptive_block_bytes(quantization, grid.values, BlockCode::int4),
                                  adaptive_block_bytes(quantization, grid.values, BlockCode::fp16));
    const std::optional<uint64_t> blocks = checked_mul(grid.blocks, min);
    const std::optional<uint64_t> data =
        blocks ? checked_add(grid.blocks / 4 + (grid.blocks % 4 != 0), *blocks) : std::nullopt;
    if (!data) return std::nullopt;
    return PayloadSize{.scales = 0, .data = *data};
  }
  const uint64_t packed = packed_bytes(bits_of(code_of(quantization.scheme)), grid.values);
  const std::optional<uint64_t> all = checked_mul(grid.blocks, scale + packed);
  if (!all) return std::nullopt;
  const uint64_t apart = scale_in_block(quantization.scheme) ? 0 : grid.blocks * scale;
  return PayloadSize{.scales = apart, .data = *all - apart};
}

AmbWalker::AmbWalker(const Quantization& quantization, uint64_t elements, uint64_t data_bytes)
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

size_t AmbWalker::step_bytes() const {
  if (head_.size() < head_bytes_) return 1;
  if (block_ == grid_.blocks) return 0;
  if (scale_in_block_ && !begun_) return scale_bytes(quantization_);
  return static_cast<size_t>(packed_bytes(bits_of(code()), std::min(kPackedTogether, grid_.values - at_)));
}

Result<size_t> AmbWalker::take(Bytes bytes) {
  if (head_.size() < head_bytes_) return take_head(bytes);
  size_t used = 0;
  while (block_ < grid_.blocks) {
    const Bytes rest = bytes.subspan(used);
    if (const size_t whole = whole_blocks(rest.size())) {
      QUINTET_TRY(const size_t taken, take_whole_blocks(rest, whole));
      used += taken;
      continue;
    }
    if (!begun_) {
      if (scale_in_block_ && rest.size() < scale_bytes(quantization_)) break;
      used += begin_block(rest);
      continue;
    }
    const uint64_t count = whole_values(rest.size());
    if (count == 0) break;
    QUINTET_TRY(const size_t taken, take_packed(rest, count));
    used += taken;
  }
  return used;
}

// Only codes and scales that precede all values are buffered.
Result<size_t> AmbWalker::take_head(Bytes bytes) {
  const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), head_bytes_ - head_.size()));
  head_.insert(head_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
  if (head_.size() == codes_bytes_ && codes_bytes_ == head_bytes_) QUINTET_CHECK(expect_adaptive_scales());
  return count;
}

// The codes are complete: they determine the size of the data, which must match.
Status AmbWalker::expect_adaptive_scales() {
  if (adaptive_data_bytes(quantization_, elements_, head_) != data_bytes_) {
    return fail(Code::format, Reason::mismatch, "the size of the data does not match the codes of its blocks");
  }
  next_scale_ = head_.size();
  for (uint64_t block = 0; block < grid_.blocks; ++block) {
    if (adaptive_code(block) != BlockCode::fp16) head_bytes_ += scale_bytes(quantization_);
  }
  return {};
}

BlockCode AmbWalker::adaptive_code(uint64_t block) const {
  const unsigned byte = std::to_integer<unsigned>(head_[static_cast<size_t>(block / 4)]);
  return static_cast<BlockCode>(byte >> (block % 4 * 2) & 3);
}

size_t AmbWalker::block_bytes() const {
  return scale_bytes(quantization_) + static_cast<size_t>(packed_bytes(bits_of(code_), grid_.values));
}

// Whole blocks with their scales that fit into `available` bytes, without padding.
size_t AmbWalker::whole_blocks(size_t available) const {
  if (!scale_in_block_ || begun_) return 0;
  return static_cast<size_t>(std::min<uint64_t>(available / block_bytes(), elements_left_ / grid_.values));
}

// Most blocks are of this kind, and there are many, so common facts are not checked again for each block.
Result<size_t> AmbWalker::take_whole_blocks(Bytes rest, size_t count) {
  const auto size = static_cast<size_t>(grid_.values);
  const size_t bytes = block_bytes();
  const size_t scale_size = scale_bytes(quantization_);
  const bool half = quantization_.scale_dtype == Dtype::f16;
  expect_values(count * size);
  for (size_t i = 0; i < count; ++i) {
    const Bytes block = rest.subspan(i * bytes, bytes);
    const float scale = half ? f16_to_f32(load_le<uint16_t>(block, 0)) : load_le<float>(block, 0);
    QUINTET_CHECK(take_values(code_, block.data() + scale_size, size, scale));
  }
  elements_left_ -= uint64_t{count} * size;
  block_ += count;
  return count * bytes;
}

// Determines the scale of the block; returns its bytes that precede the values.
size_t AmbWalker::begin_block(Bytes rest) {
  begun_ = true;
  if (code() == BlockCode::fp16) return 0;
  const size_t bytes = scale_bytes(quantization_);
  if (!scale_in_block_) {
    rest = Bytes(head_).subspan(next_scale_);
    next_scale_ += bytes;
  }
  decode(quantization_.scale_dtype, rest.first(bytes), {&scale_, 1});
  return scale_in_block_ ? bytes : 0;
}

// Number of values of the block, including padding, that fit into `available` bytes: all that are left, or a multiple
// of eight.
uint64_t AmbWalker::whole_values(size_t available) const {
  const uint64_t left = grid_.values - at_;
  const unsigned bits = bits_of(code());
  if (available >= packed_bytes(bits, left)) return left;
  return available / bits * kPackedTogether;
}

Result<size_t> AmbWalker::take_packed(Bytes rest, uint64_t count) {
  const BlockCode code = this->code();
  const size_t present = static_cast<size_t>(std::min(count, elements_left_));  // the rest is padding
  expect_values(present);
  if (present != 0) QUINTET_CHECK(take_values(code, rest.data(), present, scale_));
  elements_left_ -= present;
  at_ += count;
  if (at_ == grid_.values) {
    ++block_;
    at_ = 0;
    begun_ = false;
  }
  return static_cast<size_t>(packed_bytes(bits_of(code), count));
}

namespace {

class AmbDecoder final : public ValueDecoder<AmbWalker> {
 public:
  AmbDecoder(const Quantization& quantization, uint64_t elements, uint64_t data_bytes,
             std::unique_ptr<ValueSink> values)
      : ValueDecoder(std::move(values), quantization, elements, data_bytes) {}

 private:
  void expect_values(size_t count) override { out_ = append(count).data(); }

  Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) override {
    if (code == BlockCode::fp16) {
      decode(Dtype::f16, Bytes(packed, count * 2), {out_, count});
    } else {
      unpack(bits_of(code), packed, scale, {out_, count});
    }
    out_ += count;
    return {};
  }

  float* out_ = nullptr;
};

class AmbEncoder final : public BlockEncoder {
 public:
  AmbEncoder(const Quantization& quantization, uint64_t elements)
      : BlockEncoder(quantization, elements, quantization.block, Accepts::finite_values),
        block_(block_grid(quantization, elements).values),
        code_(code_of(quantization.scheme)) {}

 protected:
  // Separate scales are returned at once; only the packed values wait for the end.
  Status encode_block(std::span<const float> values, std::vector<std::byte>& payload) override {
    const Dtype scale_dtype = quantization_.scale_dtype;
    QUINTET_TRY(const float scale, stored_scale(values, limit_of(code_), scale_dtype));
    append_scale(scale_dtype, scale, payload);
    append_quantized(values, code_, scale, block_, scale_in_block(quantization_.scheme) ? payload : waiting_);
    return {};
  }

  void append_rest(std::vector<std::byte>& payload) override {
    payload.insert(payload.end(), waiting_.begin(), waiting_.end());
    waiting_ = {};
  }

 private:
  uint64_t block_;
  BlockCode code_;
  std::vector<std::byte> waiting_;
};

}  // namespace

std::unique_ptr<ByteSink> make_amb_decoder(const Quantization& quantization, uint64_t elements, uint64_t data_bytes,
                                           std::unique_ptr<ValueSink> values) {
  return std::make_unique<AmbDecoder>(quantization, elements, data_bytes, std::move(values));
}

std::unique_ptr<PayloadEncoder> make_amb_encoder(const Quantization& quantization, uint64_t elements) {
  return std::make_unique<AmbEncoder>(quantization, elements);
}

void append_scale(Dtype scale_dtype, float scale, std::vector<std::byte>& out) {
  const size_t bytes = bits_of(scale_dtype) / 8;
  encode(scale_dtype, {&scale, 1}, {append(out, bytes), bytes});
}

void append_quantized(std::span<const float> values, BlockCode code, float scale, uint64_t block,
                      std::vector<std::byte>& out) {
  constexpr size_t kTogether = 64;  // a multiple of kPackedTogether
  std::array<int8_t, kTogether> q;
  const unsigned bits = bits_of(code);
  std::byte* packed = append(out, static_cast<size_t>(packed_bytes(bits, block)));
  while (!values.empty()) {
    const size_t count = std::min(values.size(), kTogether);
    quantize_symmetric(values.first(count), scale, limit_of(code), std::span(q).first(count));
    pack(bits, std::span(q).first(count), packed);
    values = values.subspan(count);
    packed += packed_bytes(bits, count);
  }
}

}  // namespace quintet
