#include "tensor/packed/block_rows.h"

#include <algorithm>
#include <cstring>

namespace quintet {

BlockRows::BlockRows(BlockMatrix& matrix)
    : matrix_(matrix),
      q_(matrix.cols()),
      scales_(matrix.blocks()),
      minimums_(matrix.layout().has_minimums ? matrix.blocks() : 0) {}

Status BlockRows::put(std::span<const int8_t> q, float scale, float minimum) {
  while (!q.empty()) {
    const size_t count = std::min(q.size(), q_.size() - values_);
    std::memcpy(q_.data() + values_, q.data(), count);
    q = q.subspan(count);
    values_ += count;
    for (; blocks_ * matrix_.block() < values_; ++blocks_) {
      scales_[blocks_] = scale;
      if (!minimums_.empty()) minimums_[blocks_] = minimum;
    }
    if (values_ < q_.size()) return {};
    QUINTET_CHECK(matrix_.append_row(q_, scales_, minimums_));
    values_ = blocks_ = 0;
  }
  return {};
}

}  // namespace quintet
