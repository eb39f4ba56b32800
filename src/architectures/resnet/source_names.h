#pragma once
// What a checkpoint calls the layers of a ResNet: torchvision's names or those of fastai's sequential model.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/model_description.h"

namespace quintet {

class ResNetSourceNames {
 public:
  // The scheme under which the stem is there; nothing if none has it.
  static std::optional<ResNetSourceNames> find(const std::vector<TensorInfo>& tensors);

  // A single linear layer, "fc" or "linear".
  bool plain_tail() const { return !linear_.empty(); }
  // `conv` is torchvision's name.
  std::string conv(std::string_view conv) const;
  std::string norm_behind(std::string_view conv) const;
  std::string linear(uint32_t index) const;
  std::string head_norm(uint32_t index) const;  // of the concat tail

 private:
  std::string prefix_;
  bool sequential_ = false;  // fastai: Sequential(body, head)
  std::string linear_;
};

}  // namespace quintet
