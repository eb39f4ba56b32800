#include "tensor/packed/repacker.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "tensor/block_types.h"
#include "tensor/codecs/amb.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/codecs/piecewise.h"
#include "tensor/packed/gguf_repacker.h"

namespace quintet {
namespace {

// Blocks whose scales take more than their values are no better than plain floats.
constexpr size_t kMinBlock = 8;

// Number of values that share a scale in the payload; 0 for the whole tensor.
uint64_t scale_group(const Quantization& quantization) {
  switch (codec_of(quantization.scheme)) {
    case Codec::amb:
      return quantization.block;
    case Codec::gguf:
      return layout_of(quantization.scheme).group;
    default:
      return 0;
  }
}

BlockBits matrix_bits(Scheme scheme) {
  const unsigned bits = bits_of(scheme);
  return bits <= 4 ? BlockBits::four : static_cast<BlockBits>(bits);
}

// Composes rows of a BlockMatrix, a panel at a time, from runs of any length of values that share a scale.
class BlockRows {
 public:
  // The matrix must outlive this.
  explicit BlockRows(BlockMatrix& matrix);

  // The place where the next `count` values may be written before they are put, which saves a copy; null if they are
  // not all of the same panel.
  int8_t* room(size_t count) { return count <= q_of_rows_ - values_ ? q_.data() + values_ : nullptr; }
  // The next values. A scale only changes at the start of a block of the matrix.
  Status put(std::span<const int8_t> q, float scale, float offset = 0);

 private:
  Status append();
  size_t rows_to_append() const { return composed_rows(matrix_); }

  BlockMatrix& matrix_;
  size_t block_;
  size_t rows_;  // of the current panel
  size_t q_of_rows_;
  std::vector<int8_t> q_;  // [rows][cols]
  std::vector<float> scales_, offsets_;
  size_t values_ = 0;  // of the panel, so far
  size_t blocks_ = 0;  // of the panel that have scales, and their values
  size_t values_with_scales_ = 0;
};

BlockRows::BlockRows(BlockMatrix& matrix)
    : matrix_(matrix),
      block_(matrix.block()),
      rows_(rows_to_append()),
      q_of_rows_(rows_ * matrix.cols()),
      q_(q_of_rows_),
      scales_(rows_ * matrix.blocks()),
      offsets_(matrix.layout().has_offsets ? scales_.size() : 0) {}

Status BlockRows::put(std::span<const int8_t> q, float scale, float offset) {
  while (!q.empty()) {
    const size_t count = std::min(q.size(), q_of_rows_ - values_);
    if (int8_t* const to = q_.data() + values_; to != q.data()) std::memcpy(to, q.data(), count);
    q = q.subspan(count);
    values_ += count;
    for (; values_with_scales_ < values_; values_with_scales_ += block_, ++blocks_) {
      scales_[blocks_] = scale;
      if (!offsets_.empty()) offsets_[blocks_] = offset;
    }
    if (values_ == q_of_rows_) QUINTET_CHECK(append());
  }
  return {};
}

Status BlockRows::append() {
  const std::span<const float> offsets = offsets_;
  QUINTET_CHECK(matrix_.append_rows(rows_, std::span(q_).first(values_), std::span(scales_).first(blocks_),
                                    offsets.first(offsets.empty() ? 0 : blocks_)));
  rows_ = rows_to_append();
  q_of_rows_ = rows_ * matrix_.cols();
  values_ = blocks_ = values_with_scales_ = 0;
  return {};
}

class AmbRepacker final : public AmbWalker {
 public:
  AmbRepacker(const Quantization& quantization, BlockMatrix& matrix)
      : AmbWalker(quantization, uint64_t{matrix.rows()} * matrix.cols(), 0), rows_(matrix) {}

 private:
  Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) override {
    constexpr size_t kTogether = 64;  // a multiple of kPackedTogether
    std::array<int8_t, kTogether> elsewhere;
    const unsigned bits = bits_of(code);
    while (count != 0) {
      const size_t some = std::min(count, kTogether);
      int8_t* const room = rows_.room(some);
      const std::span<int8_t> q(room != nullptr ? room : elsewhere.data(), some);
      unpack(bits, packed, q);
      QUINTET_CHECK(rows_.put(q, scale));
      packed += packed_bytes(bits, some);
      count -= some;
    }
    return {};
  }

  BlockRows rows_;
};

// Unsigned values in the file are relative to its minimum; those of a matrix are around 0.
class AltRepacker final : public PiecewiseReader {
 public:
  AltRepacker(const Quantization& quantization, BlockMatrix& matrix)
      : packed_(quantization.scheme == Scheme::qint4_packed),
        affine_(matrix.layout().has_offsets),
        middle_(matrix.bits() == BlockBits::four ? 8 : 128),
        delta_(quantization.delta),
        offset_(static_cast<float>(double{quantization.min} + middle_ * double{quantization.delta})),
        left_(uint64_t{matrix.rows()} * matrix.cols()),
        rows_(matrix) {}

 private:
  static constexpr size_t kTogether = 64;

  size_t step_bytes() const override { return left_ == 0 ? 0 : 1; }

  Result<size_t> take(Bytes bytes) override {
    const size_t together = packed_ ? 2 : 1;
    size_t used = 0;
    while (used < bytes.size() && left_ != 0) {
      const uint64_t present = std::min<uint64_t>((bytes.size() - used) * together, left_);
      const auto q = std::span(q_).first(static_cast<size_t>(std::min<uint64_t>(present, kTogether)));
      unpack(packed_ ? 4 : 8, bytes.data() + used, q);
      if (affine_) lower(q);
      QUINTET_CHECK(check_range(q));
      QUINTET_CHECK(rows_.put(q, delta_, offset_));
      left_ -= q.size();
      used += (q.size() + together - 1) / together;
    }
    return used;
  }

  void lower(std::span<int8_t> q) const {
    for (int8_t& value : q) {
      const int u = packed_ ? value & 15 : static_cast<uint8_t>(value);
      value = static_cast<int8_t>(std::min(u - middle_, 127));
    }
  }

  // A byte may contain more than its four bits.
  Status check_range(std::span<const int8_t> q) const {
    if (packed_ || middle_ != 8) return {};
    if (std::ranges::all_of(q, [](int8_t value) { return value >= -8 && value <= 7; })) return {};
    return fail(Code::format, Reason::limit, "a qint4 value of more than 4 bits");
  }

  bool packed_, affine_;
  int middle_;
  float delta_, offset_;
  uint64_t left_;
  BlockRows rows_;
  std::array<int8_t, kTogether> q_;
};

}  // namespace

std::optional<size_t> matrix_block(uint64_t group, size_t cols) {
  const size_t shared = group == 0 ? cols : static_cast<size_t>(std::gcd(group, uint64_t{cols}));
  size_t block = std::min(shared, BlockMatrix::kMaxBlock);
  while (shared % block != 0) --block;
  if (block < kMinBlock && cols > kMinBlock) return std::nullopt;
  return block;
}

std::optional<BlockMatrix::Layout> repacked_layout(const Quantization& quantization, size_t rows, size_t cols) {
  const auto block = matrix_block(scale_group(quantization), cols);
  if (!block) return std::nullopt;
  BlockMatrix::Layout layout = {.bits = matrix_bits(quantization.scheme), .rows = rows, .cols = cols, .block = *block};
  switch (codec_of(quantization.scheme)) {
    case Codec::amb:
      layout.scale_dtype = quantization.scale_dtype;
      break;
    case Codec::alt:
      layout.scale_dtype = Dtype::f32;
      layout.has_offsets = quantization.min != 0 || quantization.max != 0;
      break;
    default:
      layout.scale_dtype = layout_of(quantization.scheme).scale_dtype;
      layout.has_offsets = layout_of(quantization.scheme).has_offsets;
      break;
  }
  return layout;
}

std::optional<size_t> adaptive_block(const Quantization& quantization, size_t cols) {
  return matrix_block(quantization.block, cols);
}

std::unique_ptr<ByteSink> make_repacker(const Quantization& quantization, BlockMatrix& matrix) {
  switch (codec_of(quantization.scheme)) {
    case Codec::amb:
      return std::make_unique<AmbRepacker>(quantization, matrix);
    case Codec::alt:
      return std::make_unique<AltRepacker>(quantization, matrix);
    default:
      return make_gguf_repacker(quantization.scheme, matrix);
  }
}

}  // namespace quintet
