#pragma once
// The tensors of a file by their role in the model, so that they can be checked kind by kind.

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "architectures/transformer/tensor_schema.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet::transformer {

struct PlacedModule {
  const TensorInfo* weight = nullptr;
  const TensorInfo* bias = nullptr;
  const TensorSpec* spec = nullptr;  // of the weight or, without one, of the bias
};

// The tensors of a layer, or those outside of the layers.
class PlacedModules {
 public:
  const PlacedModule& operator[](TensorKind kind) const { return modules_[static_cast<size_t>(kind)]; }
  // A tensor of one expert; null if it has none of the kind.
  const TensorInfo* of_expert(uint32_t expert, TensorKind kind) const;

  // FORMAT for a second tensor of the same kind.
  Status place(const TensorInfo& info, const TensorRef& ref);

 private:
  std::array<PlacedModule, kTensorKinds> modules_;
  std::map<uint32_t, std::array<const TensorInfo*, kExpertTensors>> experts_;  // by number
};

// The tensors must outlive this.
struct PlacedTensors {
  PlacedModules& of(const TensorRef& ref) { return ref.in_layer() ? layers[ref.layer] : shared; }
  // An empty one for a layer without tensors.
  const PlacedModules& layer(uint64_t index) const;

  std::vector<PlacedModules> layers;
  PlacedModules shared;  // outside of the layers
};

// FORMAT for a tensor of an expert beyond the last.
Failure unknown_expert(const TensorInfo& info, uint64_t experts);

}  // namespace quintet::transformer
