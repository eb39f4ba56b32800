#include <algorithm>
#include <array>
#include <cstring>

#include "base/unit_assembler.h"
#include "tensor/codecs/amb.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/packed/repacker.h"

namespace quintet {
namespace {

// The blocks of the file are split into those of the matrix, with the same code and scale.
class AdaptiveRepacker final : public AmbWalker {
 public:
  AdaptiveRepacker(const Quantization& quantization, uint64_t data_bytes, AdaptiveMatrix& matrix)
      : AmbWalker(quantization, uint64_t{matrix.rows()} * matrix.cols(), data_bytes), matrix_(matrix) {}

 private:
  static constexpr size_t kTogether = BlockMatrix::kMaxBlock;  // a multiple of kPackedTogether

  Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) override {
    while (count != 0) {
      const size_t some = std::min(count, kTogether);
      QUINTET_CHECK(code == BlockCode::fp16 ? take_halves(packed, some) : take_integers(code, packed, some, scale));
      packed += packed_bytes(bits_of(code), some);
      count -= some;
    }
    return {};
  }

  Status take_integers(BlockCode code, const std::byte* packed, size_t count, float scale) {
    std::array<int8_t, kTogether> unpacked;
    const auto q = std::span(unpacked).first(count);
    unpack(bits_of(code), packed, q);
    return feed(q_, std::span<const int8_t>(q),
                [&](std::span<const int8_t> block) { return matrix_.append_block(code, block, scale); });
  }

  Status take_halves(const std::byte* packed, size_t count) {
    std::array<uint16_t, kTogether> halves;
    std::memcpy(halves.data(), packed, count * sizeof(uint16_t));
    return feed(halves_, std::span<const uint16_t>(halves).first(count),
                [this](std::span<const uint16_t> block) { return matrix_.append_halves(block); });
  }

  template <class T, class Take>
  Status feed(UnitAssembler<T>& assembler, std::span<const T> values, Take take) {
    return assembler.feed(values, matrix_.block(), [&](std::span<const T> blocks) -> Status {
      for (; !blocks.empty(); blocks = blocks.subspan(matrix_.block())) {
        QUINTET_CHECK(take(blocks.first(matrix_.block())));
      }
      return {};
    });
  }

  AdaptiveMatrix& matrix_;
  // A block of the matrix is of one kind, so at most one of these contains a part of one.
  UnitAssembler<int8_t> q_;
  UnitAssembler<uint16_t> halves_;
};

}  // namespace

std::unique_ptr<ByteSink> make_adaptive_repacker(const Quantization& quantization, uint64_t data_bytes,
                                                 AdaptiveMatrix& matrix) {
  return std::make_unique<AdaptiveRepacker>(quantization, data_bytes, matrix);
}

}  // namespace quintet
