#pragma once
// The lengths that the pieces of a vocabulary have, by their first two bytes. Most beginnings of a
// word are no piece, and most of these need not be looked up, because no piece that begins like
// them is that long.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quintet {

class PieceLengths {
 public:
  // Lengths that may occur, in bytes. All from kLong on are one.
  class Set {
   public:
    explicit constexpr Set(uint32_t bits) : bits_(bits) {}
    constexpr bool has(size_t length) const { return bits_ >> std::min(length, kLong) & 1; }
    constexpr size_t longest() const { return has(kLong) ? SIZE_MAX : static_cast<size_t>(std::bit_width(bits_)) - 1; }

   private:
    uint32_t bits_;
  };

  void add(std::string_view piece) {
    const uint32_t bit = uint32_t{1} << std::min(piece.size(), kLong);
    if (piece.size() >= 2) lengths_[bucket_of(piece)] |= bit;
  }

  // Of the pieces that `text` may begin with.
  Set of(std::string_view text) const { return Set(text.size() < 2 ? kOneByte : lengths_[bucket_of(text)] | kOneByte); }

 private:
  static constexpr size_t kLong = 31;
  static constexpr uint32_t kOneByte = 1u << 1;  // always possible: the second byte says nothing
  static constexpr size_t kBuckets = 1024;

  static size_t bucket_of(std::string_view text) {
    return (static_cast<uint8_t>(text[0]) * 37u + static_cast<uint8_t>(text[1])) % kBuckets;
  }

  std::array<uint32_t, kBuckets> lengths_ = {};
};

}  // namespace quintet
