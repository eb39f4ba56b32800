#pragma once
// The Dense modules of an embedder: linear layers between pooling and normalization.

#include <memory>
#include <span>
#include <vector>

#include "formats/model_sink.h"
#include "formats/sentence_config.h"
#include "kernels/kernels.h"
#include "models/packed_projection.h"

namespace quintet {

// activation(W x + b), plus x itself or W' x with a residual.
struct Dense {
  PackedModule linear;
  DenseActivation activation = DenseActivation::identity;
  bool has_residual = false;
  PackedModule residual = {};  // a matrix if the widths differ
};

// The sink for the file of a module, which must have its tensors in their shapes: `linear.weight`, and `linear.bias`
// and `residual.weight` if the module has them.
class DenseSink final : public ModelSink {
 public:
  explicit DenseSink(const DenseModule& module) : module_(module) {}

  Status begin(const ModelDescription& description) override;
  Result<std::unique_ptr<ByteSink>> tensor(const TensorArrival& tensor) override;
  Status end(ModelDescription) override { return {}; }
  // After a successful read.
  Dense take() { return std::move(dense_); }

 private:
  Status check(const ModelDescription& description, std::string_view name, const std::vector<uint64_t>& shape) const;

  const DenseModule& module_;
  Dense dense_;
};

// Each reads the vectors of the one before it, the first those of `width` elements. `where`: after the path of a
// module, for messages.
Status check_dense_widths(std::span<const DenseModule> modules, uint64_t width, std::string_view where);

// The sink for the matrix of a module.
Result<std::unique_ptr<ByteSink>> dense_weight_sink(const DenseModule& module, const TensorArrival& tensor,
                                                    Dense& dense);

// vectors = activation(W vectors + b), for each of `count` vectors in turn.
void apply_dense(const PackedModule& linear, DenseActivation activation, const Kernels& kernels,
                 std::vector<float>& vectors, size_t count = 1);
// For each module in turn.
void apply_dense(std::span<const Dense> modules, const Kernels& kernels, std::vector<float>& vectors, size_t count = 1);

}  // namespace quintet
