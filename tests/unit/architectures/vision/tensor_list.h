#pragma once
// Lists of tensors for tests of graphs: names and shapes without data.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "formats/model_description.h"

namespace quintet::vision {

using Shape = std::vector<uint64_t>;

struct TensorList {
  TensorList& add(std::string name, Shape shape) {
    TensorInfo info;
    info.name = std::move(name);
    info.shape = std::move(shape);
    tensors.push_back(std::move(info));
    return *this;
  }
  TensorList& add_norm(const std::string& name, uint64_t channels) {
    for (const char* const suffix : {".weight", ".bias", ".running_mean", ".running_var"}) {
      add(name + suffix, {channels});
    }
    return *this;
  }
  // A matrix and its bias.
  TensorList& add_linear(const std::string& name, uint64_t outputs, uint64_t inputs) {
    return add(name + ".weight", {outputs, inputs}).add(name + ".bias", {outputs});
  }
  // The list without a tensor.
  TensorList without(std::string_view name) const {
    TensorList rest = *this;
    std::erase_if(rest.tensors, [&](const TensorInfo& info) { return info.name == name; });
    return rest;
  }
  // The list with another shape of a tensor.
  TensorList with(std::string_view name, Shape shape) const {
    TensorList changed = *this;
    std::ranges::find(changed.tensors, name, &TensorInfo::name)->shape = std::move(shape);
    return changed;
  }

  std::vector<TensorInfo> tensors;
};

}  // namespace quintet::vision
