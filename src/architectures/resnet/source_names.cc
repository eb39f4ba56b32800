#include "architectures/resnet/source_names.h"

#include <array>

namespace quintet {
namespace {

constexpr std::string_view kStage = "layer";

// fastai's body is Sequential(conv1, bn1, relu, maxpool, layer1, ...).
constexpr int kChildrenBeforeStages = 4;
// create_head() is Sequential(pool, flatten, bn, dropout, linear, relu, bn, dropout, linear).
constexpr std::array<std::string_view, 2> kSequentialNorms = {"1.2", "1.6"};
constexpr std::array<std::string_view, 2> kSequentialLinears = {"1.4", "1.8"};

}  // namespace

std::optional<ResNetSourceNames> ResNetSourceNames::find(const std::vector<TensorInfo>& tensors) {
  const auto has = [&tensors](const std::string& name) {
    for (const TensorInfo& info : tensors) {
      if (info.name == name) return true;
    }
    return false;
  };
  for (const std::string_view prefix : {"", "module.", "model."}) {
    for (const bool sequential : {false, true}) {
      ResNetSourceNames names;
      names.prefix_ = prefix;
      names.sequential_ = sequential;
      if (!has(names.conv("conv1") + ".weight")) continue;
      for (const std::string_view linear : {"fc", "linear"}) {
        const std::string name = names.prefix_ + std::string(linear);
        if (has(name + ".weight")) names.linear_ = name;
      }
      return names;
    }
  }
  return std::nullopt;
}

std::string ResNetSourceNames::conv(std::string_view conv) const {
  if (!sequential_) return prefix_ + std::string(conv);
  if (!conv.starts_with(kStage)) return prefix_ + (conv == "bn1" ? "0.1" : "0.0");
  const int stage = conv[kStage.size()] - '0';
  return prefix_ + "0." + std::to_string(stage - 1 + kChildrenBeforeStages) +
         std::string(conv.substr(kStage.size() + 1));
}

// conv1 goes with bn1, downsample.0 with downsample.1.
std::string ResNetSourceNames::norm_behind(std::string_view conv) const {
  std::string norm(conv);
  if (norm.ends_with("downsample.0")) {
    norm.back() = '1';
  } else {
    norm.replace(norm.rfind("conv"), 4, "bn");
  }
  return this->conv(norm);
}

std::string ResNetSourceNames::linear(uint32_t index) const {
  if (plain_tail()) return linear_;
  return prefix_ + (sequential_ ? std::string(kSequentialLinears[index]) : "head.fc" + std::to_string(index + 1));
}

std::string ResNetSourceNames::head_norm(uint32_t index) const {
  return prefix_ + (sequential_ ? std::string(kSequentialNorms[index]) : "head.bn" + std::to_string(index + 1));
}

}  // namespace quintet
