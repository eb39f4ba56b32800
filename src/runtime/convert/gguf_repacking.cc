#include "runtime/convert/gguf_repacking.h"

#include "base/unit_assembler.h"

namespace quintet {
namespace {

constexpr uint32_t kBlock = 32;
constexpr size_t kScaleBytes = 2;

// Cuts a payload into blocks, whatever the pieces are that it comes in.
class BlockStep : public PayloadStep {
 public:
  BlockStep(size_t block_bytes, Quantization quantization) : block_bytes_(block_bytes), quantization_(quantization) {}

  Status write(Bytes piece, std::vector<std::byte>& out) override {
    return blocks_.feed(piece, block_bytes_, [&](Bytes blocks) -> Status {
      for (; !blocks.empty(); blocks = blocks.subspan(block_bytes_)) repack(blocks.first(block_bytes_), out);
      return {};
    });
  }
  Status finish(std::vector<std::byte>&) override { return {}; }
  Quantization quantization() const override { return quantization_; }

 protected:
  virtual void repack(Bytes block, std::vector<std::byte>& out) = 0;

 private:
  size_t block_bytes_;
  Quantization quantization_;
  UnitAssembler<> blocks_;
};

// Q4_0 keeps value i in the low half of byte i and value i + 16 in its high half, 8 too large; AMB keeps neighbours
// together, in two's complement. The scale is the same.
class Q4ToInt4Block final : public BlockStep {
 public:
  explicit Q4ToInt4Block(Quantization quantization) : BlockStep(kScaleBytes + kBlock / 2, quantization) {}

 private:
  void repack(Bytes block, std::vector<std::byte>& out) override {
    out.insert(out.end(), block.begin(), block.begin() + kScaleBytes);
    const Bytes halves = block.subspan(kScaleBytes);
    const auto value = [halves](size_t i) {
      const auto both = std::to_integer<unsigned>(halves[i % (kBlock / 2)]);
      constexpr unsigned kSign = 8;
      return (i < kBlock / 2 ? both & 15u : both >> 4) ^ kSign;
    };
    for (size_t i = 0; i < kBlock; i += 2) out.push_back(static_cast<std::byte>(value(i) | value(i + 1) << 4));
  }
};

// Q8_0 keeps each scale before its values; AMB keeps all scales before all values, which wait for them.
class Q8ToInt8 final : public BlockStep {
 public:
  explicit Q8ToInt8(Quantization quantization) : BlockStep(kScaleBytes + kBlock, quantization) {}

  Status finish(std::vector<std::byte>& out) override {
    out.insert(out.end(), values_.begin(), values_.end());
    return {};
  }

 private:
  void repack(Bytes block, std::vector<std::byte>& out) override {
    out.insert(out.end(), block.begin(), block.begin() + kScaleBytes);
    values_.insert(values_.end(), block.begin() + kScaleBytes, block.end());
  }

  std::vector<std::byte> values_;
};

}  // namespace

std::unique_ptr<PayloadStep> make_repacking(const TensorInfo& from, const TensorInfo& to) {
  const Quantization& target = to.quantization;
  if (target.block != kBlock || target.scale_dtype != Dtype::f16) return nullptr;
  if (from.quantization.scheme == Scheme::q4_0 && target.scheme == Scheme::int4_block) {
    return std::make_unique<Q4ToInt4Block>(target);
  }
  if (from.quantization.scheme == Scheme::q8_0 && target.scheme == Scheme::int8) {
    return std::make_unique<Q8ToInt8>(target);
  }
  return nullptr;
}

}  // namespace quintet
