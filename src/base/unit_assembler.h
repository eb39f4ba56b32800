#pragma once
// Splits a stream that arrives in pieces of any size into whole units: rows, blocks, steps of a payload. Units inside a
// piece are passed on without copying; only a unit that is split by the end of a piece is copied, and completed from
// the next piece.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace quintet {

template <class T = std::byte>
class UnitAssembler {
 public:
  // Units of one size. Calls Status take(units) with one or more whole units at a time.
  template <class Take>
  Status feed(std::span<const T> piece, uint64_t unit, Take take) {
    return feed_steps(
        piece, [unit] { return unit; },
        [&](std::span<const T> units) -> Result<size_t> {
          const size_t whole = units.size() - units.size() % static_cast<size_t>(unit);
          QUINTET_CHECK(take(units.first(whole)));
          return whole;
        });
  }

  // Units whose size next_unit() returns at their start. Calls Result<size_t> take(begin) with at least one whole unit
  // at the front; it returns how many bytes it took, and fails if next_unit() is 0.
  template <class NextUnit, class Take>
  Status feed_steps(std::span<const T> piece, NextUnit next_unit, Take take) {
    while (!piece.empty()) {
      const uint64_t unit = next_unit();
      if (partial_.empty() && piece.size() >= unit) {
        QUINTET_TRY(const size_t taken, take(piece));
        piece = piece.subspan(taken);
        continue;
      }
      const auto missing = static_cast<size_t>(std::min<uint64_t>(unit - partial_.size(), piece.size()));
      keep(piece.first(missing), unit);
      piece = piece.subspan(missing);
      if (partial_.size() < unit) return {};
      QUINTET_CHECK(take(std::span<const T>(partial_)));
      partial_.clear();
    }
    return {};
  }

  // The start of an incomplete unit.
  std::span<const T> partial() const { return partial_; }
  void clear() { partial_.clear(); }

 private:
  // Memory grows by half with the bytes that arrive, and never beyond the unit, whose size may be wrong.
  void keep(std::span<const T> values, uint64_t unit) {
    const size_t wanted = partial_.size() + values.size();
    if (wanted > partial_.capacity()) {
      const uint64_t ahead = uint64_t{partial_.capacity()} + partial_.capacity() / 2;
      partial_.reserve(static_cast<size_t>(std::max<uint64_t>(wanted, std::min(ahead, unit))));
    }
    partial_.insert(partial_.end(), values.begin(), values.end());
  }

  std::vector<T> partial_;
};

}  // namespace quintet
