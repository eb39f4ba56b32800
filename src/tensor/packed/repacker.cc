#include "tensor/packed/repacker.h"

#include <numeric>

#include "tensor/codecs/gguf_split.h"
#include "tensor/packed/family_repackers.h"

namespace quintet {
namespace {

// Blocks that take more for their scales than for their values are no gain over plain floats.
constexpr size_t kLeastBlock = 8;

bool is_amb(Scheme scheme) { return scheme >= Scheme::int8 && scheme <= Scheme::adaptive; }
bool is_alt(Scheme scheme) { return scheme >= Scheme::qint8 && scheme <= Scheme::qint4_packed; }

// Values that share a scale in the payload; 0 for all of the tensor.
uint64_t scale_group(const Quantization& quantization) {
  if (is_amb(quantization.scheme)) return quantization.block;
  return is_alt(quantization.scheme) ? 0 : gguf_type(quantization.scheme).group;
}

BlockBits bits_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::int4:
    case Scheme::int4_block:
    case Scheme::qint4:
    case Scheme::qint4_packed:
      return BlockBits::four;
    case Scheme::int5:
    case Scheme::int5_block:
      return BlockBits::five;
    case Scheme::int8:
    case Scheme::qint8:
      return BlockBits::eight;
    default:
      break;
  }
  const unsigned bits = gguf_type(scheme).bits;
  return bits == 4 ? BlockBits::four : bits == 5 ? BlockBits::five : BlockBits::eight;
}

}  // namespace

std::optional<size_t> matrix_block(uint64_t group, size_t cols) {
  const size_t shared = group == 0 ? cols : static_cast<size_t>(std::gcd(group, uint64_t{cols}));
  size_t block = std::min(shared, BlockMatrix::kMostBlock);
  while (shared % block != 0) --block;
  if (block < kLeastBlock && cols > kLeastBlock) return std::nullopt;
  return block;
}

std::optional<BlockMatrix::Layout> repacked_layout(const Quantization& quantization, size_t rows, size_t cols) {
  const auto block = matrix_block(scale_group(quantization), cols);
  if (!block) return std::nullopt;
  BlockMatrix::Layout layout = {.bits = bits_of(quantization.scheme), .rows = rows, .cols = cols, .block = *block};
  if (is_amb(quantization.scheme)) {
    layout.scale_dtype = quantization.scale_dtype;
  } else if (is_alt(quantization.scheme)) {
    layout.scale_dtype = Dtype::f32;
    layout.has_minimums = quantization.min != 0 || quantization.max != 0;
  } else {
    layout.scale_dtype = gguf_type(quantization.scheme).scale_dtype;
    layout.has_minimums = gguf_type(quantization.scheme).has_minimums;
  }
  return layout;
}

std::optional<size_t> adaptive_block(const Quantization& quantization, size_t cols) {
  return matrix_block(quantization.block, cols);
}

std::unique_ptr<Repacker> make_repacker(const Quantization& quantization, BlockMatrix& matrix) {
  if (is_amb(quantization.scheme)) return make_amb_repacker(quantization, matrix);
  if (is_alt(quantization.scheme)) return make_alt_repacker(quantization, matrix);
  return make_gguf_repacker(quantization.scheme, matrix);
}

}  // namespace quintet
