// The kernels of a module.

#include <emscripten/bind.h>

#include <string>

#include "bindings/outcome.h"
#include "kernels/registry.h"

namespace quintet::js {
namespace {

// Set by the build of the module.
constexpr KernelSet kSet = KernelSet::QUINTET_KERNEL_SET;

val kernel_variants() {
  val names = val::array();
  for (const Kernels* kernels : compiled_kernels<kSet>()) names.call<void>("push", std::string(kernels->name));
  return names;
}

std::string active_kernels_name() { return std::string(active_kernels<kSet>().name); }
bool force_kernels_named(const std::string& name) { return force_kernels<kSet>(name); }

// Empty if every kernel of the active variant computes correctly, else the name of the first that does not.
std::string self_test_active() { return std::string(self_test<kSet>(active_kernels<kSet>()).value_or("")); }

}  // namespace

EMSCRIPTEN_BINDINGS(kernels) {
  using emscripten::function;
  function("kernelVariants", &kernel_variants);
  function("activeKernels", &active_kernels_name);
  function("forceKernels", &force_kernels_named);
  function("selfTest", &self_test_active);
}

}  // namespace quintet::js
