#pragma once
// The networks of tinyRuntime files. A file does not name its network; it follows from the number of convolutions
// (docs/formats/tinyruntime.md, "Networks"). The layers of each row are in formats/tinyruntime/network.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet::tinyruntime {

// A row of the table.
struct Variant {
  std::string_view name;
  bool cifar;                      // a 3x3 stem, no pooling, shortcuts without parameters
  uint32_t convs_per_block;        // basic blocks have 2, bottlenecks 3
  std::array<uint32_t, 4> blocks;  // of each stage

  constexpr bool bottleneck() const { return convs_per_block == 3; }
  // A bottleneck makes its input four times as wide, so even the first stage needs a convolution in its shortcut.
  constexpr bool downsamples(uint32_t stage, uint32_t index) const {
    return !cifar && index == 0 && (stage != 0 || bottleneck());
  }
  constexpr uint32_t convolutions() const {
    uint32_t count = 1;  // the stem
    for (uint32_t stage = 0; stage < blocks.size(); ++stage) {
      count += blocks[stage] * convs_per_block + (blocks[stage] != 0 && downsamples(stage, 0) ? 1 : 0);
    }
    return count;
  }
};

inline constexpr Variant kVariants[] = {
    {"ResNet-18", false, 2, {2, 2, 2, 2}}, {"ResNet-34", false, 2, {3, 4, 6, 3}}, {"ResNet-50", false, 3, {3, 4, 6, 3}},
    {"ResNet-20", true, 2, {3, 3, 3, 0}},  {"ResNet-32", true, 2, {5, 5, 5, 0}},  {"ResNet-44", true, 2, {7, 7, 7, 0}},
    {"ResNet-56", true, 2, {9, 9, 9, 0}},
};

// The row with this number of convolutions, which is unique; null if there is none.
constexpr const Variant* find_variant(uint32_t convolutions) {
  for (const Variant& variant : kVariants) {
    if (variant.convolutions() == convolutions) return &variant;
  }
  return nullptr;
}

// The layers after the last block. concat: global maxima then averages, batch norm, linear, ReLU, batch norm, linear.
// plain: global averages, linear.
enum class Tail : uint8_t { concat, plain };

// The tail with this many layers; nothing if there is none.
constexpr std::optional<Tail> tail_of(uint32_t linears, uint32_t batch_norms) {
  if (linears == 2 && batch_norms == 2) return Tail::concat;
  if (linears == 1 && batch_norms == 0) return Tail::plain;
  return std::nullopt;
}

}  // namespace quintet::tinyruntime
