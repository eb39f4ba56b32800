#pragma once
// Some rows of activations on their way into one or more projections, in whatever number type the weights are kept. They
// are quantized at most once for all the projections whose weights are cut into blocks alike.

#include <cstddef>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

class ProjectionInput {
 public:
  explicit ProjectionInput(const Kernels& kernels) : kernels_(kernels) {}

  // Room for `rows` rows of the weight's columns.
  Status reserve(const WeightMatrix& weight, size_t rows);
  // Rows [first, end) of x [end][stride]; as many values of each count as the weights have columns.
  void set(const float* x, size_t stride, size_t first, size_t end);
  size_t end() const { return end_; }
  // The tile of c = epilogue(x W^T), of rows that were set.
  void multiply(const WeightMatrix& weight, float* c, size_t c_stride, const Epilogue& epilogue, const GemmTile& tile);
  size_t bytes() const;

 private:
  struct Quantized {
    size_t block = 0;       // columns that share a scale
    bool is_valid = false;  // holds the present rows
    AlignedBuffer<std::byte> rows;
  };
  const std::byte* quantized(size_t block, size_t cols);

  void multiply_by(const PackedMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue, const GemmTile& tile);
  void multiply_by(const BlockMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue, const GemmTile& tile);
  void multiply_by(const AdaptiveMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue, const GemmTile& tile);

  const Kernels& kernels_;
  const float* x_ = nullptr;
  size_t stride_ = 0;
  size_t first_ = 0;
  size_t end_ = 0;
  std::vector<Quantized> quantized_;  // one for each size of blocks among the weights
};

}  // namespace quintet::decoder
