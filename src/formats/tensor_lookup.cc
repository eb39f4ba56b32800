#include "formats/tensor_lookup.h"

#include <algorithm>

#include "base/order.h"

namespace quintet {

TensorLookup::TensorLookup(const std::vector<TensorInfo>& tensors) {
  by_name_.reserve(tensors.size());
  for (const TensorInfo& info : tensors) by_name_.push_back(&info);
  sort_small(by_name_, {}, [](const TensorInfo* info) { return std::string_view(info->name); });
}

const TensorInfo* TensorLookup::find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(by_name_, name, {}, [](const TensorInfo* info) { return std::string_view(info->name); });
  return found != by_name_.end() && (*found)->name == name ? *found : nullptr;
}

}  // namespace quintet
