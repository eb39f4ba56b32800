#include <algorithm>
#include <array>

#include "tensor/codecs/bit_packing.h"
#include "tensor/codecs/piecewise_reader.h"
#include "tensor/packed/block_rows.h"
#include "tensor/packed/family_repackers.h"

namespace quintet {
namespace {

// The file's unsigned values count from its minimum; those of a matrix lie around 0.
class AltRepacker final : public Repacker, private PiecewiseReader {
 public:
  AltRepacker(const Quantization& quantization, BlockMatrix& matrix)
      : packed_(quantization.scheme == Scheme::qint4_packed),
        affine_(matrix.layout().has_minimums),
        middle_(matrix.bits() == BlockBits::four ? 8 : 128),
        delta_(quantization.delta),
        minimum_(static_cast<float>(double{quantization.min} + middle_ * double{quantization.delta})),
        left_(uint64_t{matrix.rows()} * matrix.cols()),
        rows_(matrix) {}

  Status write(Bytes piece) override { return read(piece); }
  Status finish() override { return read_end(); }

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
      QUINTET_CHECK(rows_.put(q, delta_, minimum_));
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

  // A whole byte may hold more than its four bits.
  Status check_range(std::span<const int8_t> q) const {
    if (packed_ || middle_ != 8) return {};
    if (std::ranges::all_of(q, [](int8_t value) { return value >= -8 && value <= 7; })) return {};
    return fail({.code = Code::format, .reason = Reason::limit, .detail = "a qint4 value of more than 4 bits"});
  }

  bool packed_, affine_;
  int middle_;
  float delta_, minimum_;
  uint64_t left_;
  BlockRows rows_;
  std::array<int8_t, kTogether> q_;
};

}  // namespace

std::unique_ptr<Repacker> make_alt_repacker(const Quantization& quantization, BlockMatrix& matrix) {
  return std::make_unique<AltRepacker>(quantization, matrix);
}

}  // namespace quintet
