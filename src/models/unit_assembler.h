#pragma once
// Cuts a stream of bytes into whole units: most go on without a copy, only a unit that a chunk's end cuts is put
// together first.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace quintet {

class UnitAssembler {
 public:
  explicit UnitAssembler(size_t unit_bytes) : unit_bytes_(unit_bytes) {}

  // Calls take(bytes, units) for all the whole units that are there now.
  template <class Take>
  Status feed(Bytes bytes, Take take) {
    if (!partial_.empty()) {
      const size_t missing = std::min(unit_bytes_ - partial_.size(), bytes.size());
      partial_.insert(partial_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(missing));
      bytes = bytes.subspan(missing);
      if (partial_.size() < unit_bytes_) return {};
      QUINTET_CHECK(take(partial_.data(), size_t{1}));
      partial_.clear();
    }
    const size_t units = bytes.size() / unit_bytes_;
    if (units != 0) QUINTET_CHECK(take(bytes.data(), units));
    bytes = bytes.subspan(units * unit_bytes_);
    partial_.assign(bytes.begin(), bytes.end());
    return {};
  }
  Bytes partial() const { return partial_; }

 private:
  size_t unit_bytes_;
  std::vector<std::byte> partial_;
};

}  // namespace quintet
