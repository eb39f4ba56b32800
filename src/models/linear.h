#pragma once
// A linear layer y = x W^T + b and its activations, whatever the type of the weights.

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "kernels/kernels.h"
#include "models/module.h"

namespace quintet {

// The memory in which activations are quantized.
struct LinearScratch {
  // Reserves memory for `rows` rows of an int8 weight's columns; a float weight needs none.
  Status reserve(const PackedMatrix& weight, size_t rows);
  size_t bytes() const { return quantized.capacity() + scales.capacity() * sizeof(float); }

  AlignedBuffer<uint8_t> quantized;
  AlignedBuffer<float> scales;
};

// The threads that compute a linear layer: the calling one, or all of the engine.
enum class Workers : uint8_t { one, all };

// Rows of activations that are the input of one or more linear layers. They are quantized at most once for all int8
// layers with the same groups of columns.
class LinearInput {
 public:
  LinearInput(const Kernels& kernels, LinearScratch& scratch, Workers workers)
      : kernels_(kernels), scratch_(scratch), workers_(workers) {}

  // x [rows][cols]: the scratch must have room for it.
  void set(const ConstRows& x, size_t rows, size_t cols);

  // c [rows][out] = epilogue(x W^T), with the layer's bias.
  void apply(const PackedModule& layer, const Rows& c, const Epilogue& epilogue = {});

 private:
  void multiply(const PackedMatrix& w, const Rows& c, const Epilogue& epilogue, PanelRange panels) const;

  const Kernels& kernels_;
  LinearScratch& scratch_;
  Workers workers_;
  ConstRows x_ = {};
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t quantized_groups_ = 0;  // for which x is quantized; 0: not yet
};

}  // namespace quintet
