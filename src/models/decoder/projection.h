#pragma once
// Products of activations and the matrices of linear layers, for any type of weights.

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/activations.h"
#include "models/decoder/weights.h"

namespace quintet::decoder {

// One product of the activations from the row `first` on: c = x W^T + bias, or c += with `accumulate`. A null weight is
// an empty product.
struct Product {
  size_t panels() const { return weight == nullptr ? 0 : (rows_of(*weight) + kPanelRows - 1) / kPanelRows; }

  const WeightMatrix* weight = nullptr;
  const float* bias = nullptr;  // [out], or null
  Rows c = {};                  // [rows of the activations][out]
  size_t first = 0;
  bool accumulate = false;
};

enum class Store : uint8_t { assign, accumulate };

inline Product product(const Module& linear, Rows c, size_t first, Store store = Store::assign) {
  return {.weight = &linear.matrix,
          .bias = linear.bias.size() == 0 ? nullptr : linear.bias.data(),
          .c = c,
          .first = first,
          .accumulate = store == Store::accumulate};
}

// Several products of the same activations, which are quantized once for all weights with the same blocks and groups.
class Projection {
 public:
  explicit Projection(const Kernels& kernels) : kernels_(kernels) {}

  // Reserves memory for `rows` rows with the columns of the weight.
  Status reserve(const WeightMatrix& weight, size_t rows);
  // Prepares the products of x. Returns their total number of panels.
  size_t begin(const Activations& x, std::span<const Product> products);
  // Computes panels [begin, end) of the products, numbered consecutively over all of them. Several threads may compute
  // different ones.
  void multiply(std::span<const Product> products, size_t begin, size_t end) const;
  size_t bytes() const;

 private:
  struct Quantized {
    BlockGroups groups = {};
    bool is_valid = false;  // contains the current rows
    AlignedBuffer<std::byte> rows;
  };
  void quantize(Quantized& entry, size_t cols);
  const std::byte* quantized(const BlockGroups& groups) const;

  void multiply_by(const PackedMatrix& w, const Product& product, const Epilogue& epilogue, const GemmTile& tile) const;
  void multiply_by(const BlockMatrix& w, const Product& product, const Epilogue& epilogue, const GemmTile& tile) const;
  void multiply_by(const AdaptiveMatrix& w, const Product& product, const Epilogue& epilogue,
                   const GemmTile& tile) const;

  const Kernels& kernels_;
  Activations x_;
  std::vector<Quantized> quantized_;  // one for each kind of blocks of the weights
};

}  // namespace quintet::decoder
