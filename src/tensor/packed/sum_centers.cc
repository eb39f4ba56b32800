#include "tensor/packed/sum_centers.h"

#include <cstring>

#include "tensor/packed/growth.h"

namespace quintet {
namespace {

constexpr size_t kHalfQuadBytes = kPanelRows / 2 * kQuad;
constexpr size_t kBlockBytes = SumCenters::kQuads * kPanelRows * kQuad;
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
  // Of four outputs of a block of a panel.
  explicit BlockSums(const int8_t* block) {
    for (size_t quad = 0; quad < SumCenters::kQuads; ++quad) {
      Weights weights;
      std::memcpy(&weights, block + quad * kPanelRows * kQuad, sizeof weights);
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

}  // namespace

size_t SumCenters::bytes() const {
  return centers_.capacity() + totals_.capacity() * sizeof(int32_t) + wide_.capacity() * sizeof(uint16_t) +
         ends_.capacity() * sizeof(uint32_t);
}

Status SumCenters::grow(uint64_t groups, uint64_t whole) {
  const auto grow_by = [&](auto& buffer, uint64_t size) {
    return grow_to(buffer, saturating_product(groups, size), saturating_product(whole, size));
  };
  QUINTET_CHECK(grow_by(centers_, blocks_ * kPanelRows * kSums));
  QUINTET_CHECK(grow_by(totals_, kPanelRows));
  return grow_by(ends_, 2);
}

Status SumCenters::append(const int8_t* weights) {
  for (size_t half = 0; half < 2; ++half) {
    QUINTET_CHECK(append_half(weights + half * kHalfQuadBytes, half));
    ends_[2 * appended_ + half] = static_cast<uint32_t>(wide_.size());
  }
  ++appended_;
  return {};
}

Status SumCenters::append_half(const int8_t* weights, size_t half) {
  if (blocks_ == 0) return {};
  constexpr size_t kOutputs = kPanelRows / 2;
  int8_t* to = centers_.data() + appended_ * blocks_ * kPanelRows * kSums + half * kOutputs * kSums;
  int32_t* const totals = totals_.data() + appended_ * kPanelRows + half * kOutputs;
  for (size_t i = 0; i < blocks_; ++i, weights += kBlockBytes, to += kPanelRows * kSums) {
    const BlockSums block(weights);
    if (block.is_wide()) {
      QUINTET_CHECK(grow_to(wide_, wide_.size() + 1, UINT64_MAX));
      wide_[wide_.size() - 1] = static_cast<uint16_t>(i);
      continue;
    }
    const Sums centers = block.centers();
    const auto bytes = __builtin_convertvector(centers, Centers);
    std::memcpy(to, &bytes, sizeof bytes);
    for (size_t n = 0; n < kOutputs; ++n) totals[n] += kCenterUnit * (centers[2 * n] + centers[2 * n + 1]);
  }
  return {};
}

}  // namespace quintet
