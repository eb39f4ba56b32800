#include <algorithm>
#include <array>
#include <cstring>

#include "tensor/codecs/amb_walker.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/packed/repacker.h"

namespace quintet {
namespace {

// The file's blocks are cut into the matrix's, which have their code and scale.
class AdaptiveRepacker final : public Repacker, private AmbWalker {
 public:
  AdaptiveRepacker(const Quantization& quantization, uint64_t data_bytes, AdaptiveMatrix& matrix)
      : AmbWalker(quantization, uint64_t{matrix.rows()} * matrix.cols(), data_bytes), matrix_(matrix) {}

  Status write(Bytes piece) override { return read(piece); }
  Status finish() override { return read_end(); }

 private:
  static constexpr size_t kTogether = BlockMatrix::kMostBlock;  // a multiple of kPackedTogether

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
    unpack(bits_of(code), packed, std::span(unpacked).first(count));
    return fill(q_, unpacked.data(), count,
                [&](std::span<const int8_t> block) { return matrix_.append_block(code, block, scale); });
  }

  Status take_halves(const std::byte* packed, size_t count) {
    std::array<uint16_t, kTogether> halves;
    std::memcpy(halves.data(), packed, count * sizeof(uint16_t));
    return fill(halves_, halves.data(), count,
                [&](std::span<const uint16_t> block) { return matrix_.append_halves(block); });
  }

  // A block of the matrix is of one kind, so that one count serves both.
  template <class T, class Take>
  Status fill(std::array<T, kTogether>& block, const T* values, size_t count, Take take) {
    while (count != 0) {
      const size_t some = std::min(count, matrix_.block() - filled_);
      std::copy_n(values, some, block.data() + filled_);
      values += some;
      count -= some;
      filled_ += some;
      if (filled_ < matrix_.block()) return {};
      filled_ = 0;
      QUINTET_CHECK(take(std::span<const T>(block).first(matrix_.block())));
    }
    return {};
  }

  AdaptiveMatrix& matrix_;
  std::array<int8_t, kTogether> q_;
  std::array<uint16_t, kTogether> halves_;
  size_t filled_ = 0;
};

}  // namespace

std::unique_ptr<Repacker> make_adaptive_repacker(const Quantization& quantization, uint64_t data_bytes,
                                                 AdaptiveMatrix& matrix) {
  return std::make_unique<AdaptiveRepacker>(quantization, data_bytes, matrix);
}

}  // namespace quintet
