#include "formats/model_description.h"

#include <algorithm>

namespace quintet {

std::string_view name_of(Format format) { return format == Format::weights ? "weights" : "safetensors"; }

uint64_t TensorInfo::elements() const {
  uint64_t product = 1;
  for (const uint64_t dimension : shape) product *= dimension;
  return product;
}

const TensorInfo* ModelDescription::find_tensor(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace quintet
