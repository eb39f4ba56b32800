#pragma once
// Sizes beyond any model. They are so small that no product of three of them with a data type's size overflows 64 bits.

#include <cstdint>
#include <limits>

namespace quintet {

constexpr uint64_t kMaxTokens = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxPositions = (uint64_t{1} << 31) - 1;
constexpr uint64_t kMaxWidth = uint64_t{1} << 20;  // of a position's vector, of a head, of the feed-forward part
constexpr uint64_t kMaxHeads = uint64_t{1} << 16;
constexpr uint64_t kMaxLayers = uint64_t{1} << 16;
constexpr double kMaxReal = std::numeric_limits<float>::max();

}  // namespace quintet
