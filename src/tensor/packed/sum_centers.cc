#include "tensor/packed/sum_centers.h"

#include <algorithm>
#include <cstring>

#include "tensor/packed/growth.h"

namespace quintet {
namespace {

constexpr size_t kHalfQuadBytes = kPanelQuadBytes / 2;
constexpr size_t kBlockBytes = SumCenters::kQuads * kPanelQuadBytes;
constexpr size_t kOutputs = kPanelRows / 2;
// Sums of an output: of two columns of each quad.
constexpr size_t kSums = 2;

constexpr int32_t kCenterUnit = 256;
// A rounded center may be wrong by half a unit.
constexpr int32_t kMaxMagnitudes = (INT16_MAX - kCenterUnit / 2) / (kActivationZero - 1);

// A quad of four outputs, and sums of its columns.
using Weights [[gnu::vector_size(kHalfQuadBytes)]] = int8_t;
using Sums [[gnu::vector_size(kHalfQuadBytes)]] = int16_t;
using Magnitudes [[gnu::vector_size(kHalfQuadBytes)]] = uint16_t;
using Centers [[gnu::vector_size(kHalfQuadBytes / 2)]] = int8_t;

struct BlockSums {
  // Of four outputs of a block of a panel, or of fewer quads.
  BlockSums(const int8_t* block, size_t quads) {
    for (size_t quad = 0; quad < quads; ++quad) {
      Weights weights;
      std::memcpy(&weights, block + quad * kPanelQuadBytes, sizeof weights);
      const auto pairs = reinterpret_cast<Sums>(weights);
      sums += ((pairs << 8) >> 8) + (pairs >> 8);
      // As unsigned bytes, of which 128 is one.
      const auto absolute = reinterpret_cast<Magnitudes>(weights < 0 ? -weights : weights);
      magnitudes += (absolute & 0xff) + (absolute >> 8);
    }
  }

  bool is_wide() const {
    const auto exceeding = magnitudes > kMaxMagnitudes;
    uint64_t lanes[2];
    static_assert(sizeof lanes == sizeof exceeding);
    std::memcpy(lanes, &exceeding, sizeof lanes);
    return (lanes[0] | lanes[1]) != 0;
  }

  // -64 * sum in units of 256, rounded.
  Sums centers() const {
    constexpr int16_t kSumsPerUnit = kCenterUnit / kActivationZero;
    static_assert(kSumsPerUnit == 4);
    return (kSumsPerUnit / 2 - sums) >> 2;
  }

  Sums sums = {};
  Magnitudes magnitudes = {};
};

// to [4] += the sums of each output, times a factor.
void add_outputs(Sums sums, int32_t factor, int32_t* to) {
  for (size_t n = 0; n < kOutputs; ++n) to[n] += factor * (sums[kSums * n] + sums[kSums * n + 1]);
}

}  // namespace

SumCenters::SumCenters(size_t quads)
    : quads_(quads),
      blocks_(quads / kQuads + (quads % kQuads != 0)),
      words_((blocks_ + 63) / 64),
      wide_at_(kStartsBytes + blocks_ * kBlockCenters),
      record_bytes_(wide_at_ + 2 * words_ * sizeof(uint64_t)) {}

Status SumCenters::grow(uint64_t groups, uint64_t whole) {
  return grow_to(records_, saturating_product(groups, record_bytes_), saturating_product(whole, record_bytes_));
}

void SumCenters::append(const int8_t* weights, int32_t* zero_terms) {
  std::byte* const record = records_.data() + appended_++ * record_bytes_;
  int32_t* const starts = reinterpret_cast<int32_t*>(record);
  std::byte* to = record + kStartsBytes;
  uint64_t* const wide = reinterpret_cast<uint64_t*>(record + wide_at_);
  for (size_t i = 0; i < blocks_; ++i, weights += kBlockBytes) {
    const size_t quads = std::min(kQuads, quads_ - i * kQuads);
    for (size_t half = 0; half < 2; ++half, to += kBlockCenters / 2) {
      const BlockSums block(weights + half * kHalfQuadBytes, quads);
      add_outputs(block.sums, kActivationZero, zero_terms + half * kOutputs);
      if (quads < kQuads || block.is_wide()) {
        wide[half * words_ + i / 64] |= uint64_t{1} << i % 64;
        continue;
      }
      const Sums centers = block.centers();
      const auto bytes = __builtin_convertvector(centers, Centers);
      std::memcpy(to, &bytes, sizeof bytes);
      add_outputs(centers, -kCenterUnit, starts + half * kOutputs);
    }
  }
}

}  // namespace quintet
