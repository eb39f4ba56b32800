#pragma once
// Tensors by name, for files with so many that a search from the front would take quadratic time.

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/model_description.h"

namespace quintet {

class TensorLookup {
 public:
  // The tensors stay the caller's and outlive this.
  explicit TensorLookup(const std::vector<TensorInfo>& tensors);

  const TensorInfo* find(std::string_view name) const;

 private:
  std::vector<const TensorInfo*> by_name_;
};

}  // namespace quintet
