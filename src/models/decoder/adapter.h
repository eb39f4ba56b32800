#pragma once
// Low-rank adapters (LoRA, Hu et al. 2021, arXiv:2106.09685): to W x they add B (A x), scaled. They are computed in
// floats, row by row, for any type of W.

#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "models/weight_matrix.h"
#include "tensor/packed/packed_matrix.h"

namespace quintet::decoder {

// The update of one matrix of the model by an adapter.
struct LowRank {
  size_t rank() const { return rows_of(a); }
  const PackedMatrix& down() const { return std::get<PackedMatrix>(a); }
  const PackedMatrix& up() const { return std::get<PackedMatrix>(b); }

  const WeightMatrix* matrix;
  WeightMatrix a;   // [rank][in], of a float type
  WeightMatrix b;   // [out][rank]
  float scale = 1;  // alpha / rank, for example
};

// An adapter of one model, by the model's matrices.
struct Adapter {
  // Null for a matrix that it leaves alone.
  const LowRank* find(const WeightMatrix* matrix) const;
  // The part of a matrix, which is new if there was none. References to others are no longer valid.
  LowRank& part_of(const WeightMatrix* matrix);
  size_t max_rank() const;
  // FORMAT for NaN and infinity.
  Status check_finite() const;

  std::vector<LowRank> parts;  // ordered by their matrices
};

// An adapter that is in use, with the caller's own scale.
struct ScaledAdapter {
  bool operator==(const ScaledAdapter&) const = default;

  std::shared_ptr<const Adapter> adapter;
  float scale = 1;
};
using Adapters = std::vector<ScaledAdapter>;

}  // namespace quintet::decoder
