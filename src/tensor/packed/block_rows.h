#pragma once
// Rows of a BlockMatrix put together from runs of values that share a scale, however long they are.

#include <span>
#include <vector>

#include "tensor/packed/block_matrix.h"

namespace quintet {

class BlockRows {
 public:
  // The matrix outlives this.
  explicit BlockRows(BlockMatrix& matrix);

  // The next values. A scale is changed only where a block of the matrix begins.
  Status put(std::span<const int8_t> q, float scale, float minimum = 0);

 private:
  BlockMatrix& matrix_;
  std::vector<int8_t> q_;  // of the row that is under way
  std::vector<float> scales_, minimums_;
  size_t values_ = 0;  // of the row that are there
  size_t blocks_ = 0;  // of the row whose scales are there
};

}  // namespace quintet
