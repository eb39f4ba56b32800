#pragma once
// Products of two small matrices, which a conversion adds to the matrices of a decoder: adapters (docs/cli.md,
// "Adapters").

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace quintet {

struct ConvertOptions;
struct Plan;
struct SourceModel;

// W + scale * B A, as an adapter has it for one matrix.
struct LowRank {
  std::string matrix;        // its name in the adapter
  std::string architecture;  // of a GGUF file; empty for PEFT
  float scale = 1;
  std::vector<float> a;  // transposed, [columns of W][rank]
  std::vector<float> b;  // [rows of W][rank]
};

// The product in the order of the matrix that it is added to.
struct LowRankProduct {
  size_t begin = 0;  // number of the first value, in row-major order: the matrix may be one of several in a tensor
  size_t rank = 0, cols = 0;
  float scale = 1;
  std::vector<float> left;   // [rows][rank]
  std::vector<float> right;  // [cols][rank]

  // `values`: those of the tensor from number `first` on.
  void add_to(std::span<float> values, size_t first) const;
};

// Gives each product of the options to the job of its matrix. FORMAT or UNSUPPORTED if one does not fit the model.
Status plan_products(const SourceModel& source, const ConvertOptions& options, Plan& plan);

}  // namespace quintet
