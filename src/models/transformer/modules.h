#pragma once
// The modules of a transformer by their kinds (architectures/transformer/tensor_schema.h).

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "architectures/transformer/tensor_schema.h"

namespace quintet {

// The modules of a layer, or those outside of the layers. Memory is taken for those that exist.
template <class Module>
class Modules {
 public:
  using TensorKind = transformer::TensorKind;

  // An empty module if there is none of the kind.
  const Module& operator[](TensorKind kind) const {
    static const Module kNone;
    const std::unique_ptr<Module>& module = modules_[static_cast<size_t>(kind)];
    return module ? *module : kNone;
  }
  // Makes the module if there is none. References to it stay valid.
  Module& operator[](TensorKind kind) {
    std::unique_ptr<Module>& module = modules_[static_cast<size_t>(kind)];
    if (!module) module = std::make_unique<Module>();
    return *module;
  }
  bool has(TensorKind kind) const { return (*this)[kind].exists(); }

  template <class Visit>
  void for_each_module(const Visit& visit) const {
    for (const std::unique_ptr<Module>& module : modules_) {
      if (module) visit(*module);
    }
  }
  template <class Visit>
  void for_each_module(const Visit& visit) {
    for (std::unique_ptr<Module>& module : modules_) {
      if (module) visit(*module);
    }
  }

  size_t bytes() const {
    size_t total = 0;
    for_each_module([&total](const Module& module) { total += module.bytes(); });
    return total;
  }

 private:
  std::array<std::unique_ptr<Module>, transformer::kTensorKinds> modules_;
};

// The modules of a layer that may have a mixture of experts.
template <class Module>
class LayerModules : public Modules<Module> {
 public:
  using TensorKind = transformer::TensorKind;
  // The matrices of one expert, by kind.
  using Expert = std::array<Module, transformer::kExpertTensors>;

  // Entries by number.
  const std::map<uint32_t, Expert>& experts() const { return experts_; }
  Module& expert(uint32_t number, TensorKind kind) { return experts_[number][transformer::expert_index(kind)]; }
  // The module of a tensor.
  Module& of(const transformer::TensorRef& ref) {
    return ref.expert ? expert(*ref.expert, ref.kind()) : (*this)[ref.kind()];
  }

  // Calls `visit` for each module, those of experts included.
  template <class Visit>
  void for_each_module(const Visit& visit) const {
    Modules<Module>::for_each_module(visit);
    for (const auto& [number, expert] : experts_) {
      for (const Module& module : expert) visit(module);
    }
  }
  template <class Visit>
  void for_each_module(const Visit& visit) {
    Modules<Module>::for_each_module(visit);
    for (auto& [number, expert] : experts_) {
      for (Module& module : expert) visit(module);
    }
  }

  size_t bytes() const {
    size_t total = 0;
    for_each_module([&total](const Module& module) { total += module.bytes(); });
    return total;
  }

 private:
  std::map<uint32_t, Expert> experts_;
};

}  // namespace quintet
