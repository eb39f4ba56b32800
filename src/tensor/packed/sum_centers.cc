#include "tensor/packed/sum_centers.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tensor/packed/growth.h"

namespace quintet {
namespace {

constexpr size_t kHalfQuadBytes = kPanelQuadBytes / 2;
constexpr size_t kBlockBytes = SumCenters::kQuads * kPanelQuadBytes;
constexpr size_t kOutputs = kPanelRows / 2;
// Sums of an output: of two columns of each quad.
constexpr size_t kSums = 2;

// A quad of four outputs, and sums of its columns.
using Weights [[gnu::vector_size(kHalfQuadBytes)]] = int8_t;
using Sums [[gnu::vector_size(kHalfQuadBytes)]] = int16_t;
using Squares [[gnu::vector_size(kHalfQuadBytes)]] = uint16_t;
using Centers [[gnu::vector_size(kHalfQuadBytes / 2)]] = int8_t;

// Sums for four outputs of a panel.
struct BlockSums {
  BlockSums(const int8_t* block, size_t quads) {
    for (size_t quad = 0; quad < quads; ++quad) {
      Weights weights;
      std::memcpy(&weights, block + quad * kPanelQuadBytes, sizeof weights);
      const auto pairs = reinterpret_cast<Sums>(weights);
      const Sums first = (pairs << 8) >> 8, second = pairs >> 8;
      sums += first + second;
      const auto two = reinterpret_cast<Squares>(first * first) + reinterpret_cast<Squares>(second * second);
      squares += (two + (kSquaresUnit - 1)) / kSquaresUnit;
    }
  }

  float largest_squares() const {
    uint16_t largest = 0;
    for (size_t i = 0; i < kOutputs * kSums; ++i) largest = std::max<uint16_t>(largest, squares[i]);
    return static_cast<float>(kSquaresUnit) * largest;
  }

  // -64 * sum in units, rounded.
  Sums centers() const {
    constexpr int16_t kSumsPerUnit = SumCenters::kUnit / kActivationZero;
    static_assert(kSumsPerUnit == 8);
    return (kSumsPerUnit / 2 - sums) >> 3;
  }

  // In this unit, rounded up, those of a block fit 16 bits.
  static constexpr uint16_t kSquaresUnit = 8;
  static_assert(SumCenters::kQuads * 2 * 128 * 128 / kSquaresUnit <= UINT16_MAX);

  Sums sums = {};
  Squares squares = {};
};

bool fit_bytes(Sums centers) {
  const Sums bytes = __builtin_convertvector(__builtin_convertvector(centers, Centers), Sums);
  return std::memcmp(&bytes, &centers, sizeof bytes) == 0;
}

// to [4] += the sums of each output, times a factor.
void add_outputs(Sums sums, int32_t factor, int32_t* to) {
  for (size_t n = 0; n < kOutputs; ++n) to[n] += factor * (sums[kSums * n] + sums[kSums * n + 1]);
}

}  // namespace

SumCenters::SumCenters(size_t quads)
    : quads_(quads),
      blocks_(quads / kQuads),
      squares_at_(kStartsBytes + blocks_ * kBlockCenters),
      record_bytes_(squares_at_ + (blocks_ + 3) / 4 * 4 * sizeof(float)) {}

Status SumCenters::grow(uint64_t groups, uint64_t whole) {
  return grow_to(records_, saturating_product(groups, record_bytes_), saturating_product(whole, record_bytes_));
}

void SumCenters::append(const int8_t* weights, int32_t* zero_terms) {
  std::byte* const record = records_.data() + appended_++ * record_bytes_;
  int32_t* const starts = reinterpret_cast<int32_t*>(record);
  float* const squares = reinterpret_cast<float*>(record + squares_at_);
  std::byte* to = record + kStartsBytes;
  for (size_t block = 0; block < blocks_; ++block, weights += kBlockBytes, to += kBlockCenters) {
    const BlockSums halves[2] = {{weights, kQuads}, {weights + kHalfQuadBytes, kQuads}};
    const Sums centers[2] = {halves[0].centers(), halves[1].centers()};
    const bool fit = fit_bytes(centers[0]) && fit_bytes(centers[1]);
    squares[block] = fit ? std::max(halves[0].largest_squares(), halves[1].largest_squares())
                         : std::numeric_limits<float>::infinity();
    for (size_t half = 0; half < 2; ++half) {
      add_outputs(halves[half].sums, kActivationZero, zero_terms + half * kOutputs);
      if (!fit) continue;
      const auto bytes = __builtin_convertvector(centers[half], Centers);
      std::memcpy(to + half * sizeof bytes, &bytes, sizeof bytes);
      add_outputs(centers[half], -kUnit, starts + half * kOutputs);
    }
  }
  for (size_t half = 0; half < 2; ++half) {
    const BlockSums left(weights + half * kHalfQuadBytes, quads_ % kQuads);
    add_outputs(left.sums, kActivationZero, zero_terms + half * kOutputs);
  }
}

}  // namespace quintet
