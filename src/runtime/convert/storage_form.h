#pragma once
// How a tensor's values are stored: plain numbers, or int8 with scales.

#include <cstdint>

#include "formats/model_description.h"

namespace quintet {

struct StorageForm {
  Dtype dtype = Dtype::f32;
  uint64_t group = 0;  // int8 with scales: values that share one; 0 where the type says all

  bool scaled() const { return group != 0; }
  bool operator==(const StorageForm&) const = default;
};

}  // namespace quintet
