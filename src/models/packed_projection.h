#pragma once
// Products of activations and the matrices of linear layers of plain types or int8 rows.

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "base/aligned_buffer.h"
#include "kernels/kernels.h"
#include "models/activations.h"
#include "models/module.h"

namespace quintet {

// The memory in which activations are quantized.
struct ProjectionScratch {
  // Reserves memory for `rows` rows of an int8 weight's columns; a float weight needs none.
  Status reserve(const PackedMatrix& weight, size_t rows);
  size_t bytes() const { return quantized.capacity() + scales.capacity() * sizeof(float); }

  AlignedBuffer<uint8_t> quantized;
  AlignedBuffer<float> scales;
};

// The threads that compute a linear layer: the calling one, or all of the engine.
enum class Workers : uint8_t { one, all };

// c [rows of the activations][out] = epilogue(x W^T), with the layer's bias.
struct PackedProduct {
  const PackedModule& layer;
  Rows c;
  Epilogue epilogue = {};
};

class PackedProjection {
 public:
  PackedProjection(const Kernels& kernels, ProjectionScratch& scratch, Workers workers)
      : kernels_(kernels), scratch_(scratch), workers_(workers) {}

  // The scratch must have room for x, which is quantized once for int8 layers with the same groups of columns. The
  // results begin with row 0.
  void multiply(const Activations& x, std::initializer_list<PackedProduct> products) const;

 private:
  void quantize(const Activations& x, const PackedMatrix& w) const;
  void multiply(const Activations& x, const PackedProduct& product) const;
  void multiply_panels(const Activations& x, const PackedMatrix& w, const Rows& c, const Epilogue& epilogue,
                       PanelRange panels) const;

  const Kernels& kernels_;
  ProjectionScratch& scratch_;
  Workers workers_;
};

}  // namespace quintet
