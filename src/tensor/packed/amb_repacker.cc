#include <algorithm>
#include <array>

#include "tensor/codecs/amb_walker.h"
#include "tensor/codecs/bit_packing.h"
#include "tensor/packed/block_rows.h"
#include "tensor/packed/family_repackers.h"

namespace quintet {
namespace {

class AmbRepacker final : public Repacker, private AmbWalker {
 public:
  AmbRepacker(const Quantization& quantization, BlockMatrix& matrix)
      : AmbWalker(quantization, uint64_t{matrix.rows()} * matrix.cols(), 0), rows_(matrix) {}

  Status write(Bytes piece) override { return read(piece); }
  Status finish() override { return read_end(); }

 private:
  Status take_values(BlockCode code, const std::byte* packed, size_t count, float scale) override {
    constexpr size_t kTogether = 64;  // a multiple of kPackedTogether
    std::array<int8_t, kTogether> q;
    const unsigned bits = bits_of(code);
    while (count != 0) {
      const auto some = std::span(q).first(std::min(count, kTogether));
      unpack(bits, packed, some);
      QUINTET_CHECK(rows_.put(some, scale));
      packed += packed_bytes(bits, some.size());
      count -= some.size();
    }
    return {};
  }

  BlockRows rows_;
};

}  // namespace

std::unique_ptr<Repacker> make_amb_repacker(const Quantization& quantization, BlockMatrix& matrix) {
  return std::make_unique<AmbRepacker>(quantization, matrix);
}

}  // namespace quintet
