#pragma once
// A linear layer y = x W^T + b and its activations, whatever the type of the weights.

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "kernels/kernels.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet {

// Of any type of weights.
template <class Matrix>
struct BasicLinear {
  Matrix weight;              // [out][in]
  AlignedBuffer<float> bias;  // [out], or empty
};
using Linear = BasicLinear<PackedMatrix>;

// Where activations are quantized.
struct LinearScratch {
  // Reserves memory for `rows` rows of an int8 weight's columns; a float weight needs none.
  Status reserve(const PackedMatrix& weight, size_t rows);
  size_t bytes() const { return quantized.capacity() + scales.capacity() * sizeof(float); }

  AlignedBuffer<uint8_t> quantized;
  AlignedBuffer<float> scales;
};

// Who computes a linear layer: the calling thread, or all threads of the engine.
enum class Workers : uint8_t { one, all };

// Rows of activations that are the input of one or more linear layers. They are quantized at most once for all int8
// layers with the same groups of columns.
class LinearInput {
 public:
  LinearInput(const Kernels& kernels, LinearScratch& scratch, Workers workers)
      : kernels_(kernels), scratch_(scratch), workers_(workers) {}

  // `rows` rows of `cols` floats, for which the scratch has room.
  void set(const float* x, size_t stride, size_t rows, size_t cols);

  // c [rows][c_stride] = epilogue(x W^T), with the layer's bias.
  void apply(const Linear& layer, float* c, size_t c_stride, Epilogue epilogue = {});

 private:
  void multiply(const PackedMatrix& w, float* c, size_t c_stride, const Epilogue& epilogue, size_t panel_begin,
                size_t panel_end) const;

  const Kernels& kernels_;
  LinearScratch& scratch_;
  Workers workers_;
  const float* x_ = nullptr;
  size_t stride_ = 0;
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t quantized_groups_ = 0;  // for which x is quantized; 0: not yet
};

}  // namespace quintet
