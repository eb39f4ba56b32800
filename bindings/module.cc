// What is true of the whole module: its kernels, its memory, its live objects.

#include <emscripten/bind.h>
#include <emscripten/heap.h>

#include <string>

#include "bindings/outcome.h"
#include "kernels/registry.h"

namespace quintet::js {
namespace {

// The kernels of this module: set by its build.
constexpr KernelSet kSet = KernelSet::QUINTET_KERNEL_SET;

val kernel_variants() {
  val names = val::array();
  for (const Kernels* kernels : compiled_kernels<kSet>()) names.call<void>("push", std::string(kernels->name));
  return names;
}

std::string active_kernels_name() { return std::string(active_kernels<kSet>().name); }
bool force_kernels_named(const std::string& name) { return force_kernels<kSet>(name); }

// Empty where every kernel of the variant in use answers rightly, else the name of the first that
// does not.
std::string self_test_active() { return std::string(self_test<kSet>(active_kernels<kSet>()).value_or("")); }

double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

}  // namespace

EMSCRIPTEN_BINDINGS(module) {
  using emscripten::function;
  function("kernelVariants", &kernel_variants);
  function("activeKernels", &active_kernels_name);
  function("forceKernels", &force_kernels_named);
  function("selfTest", &self_test_active);
  function("heapBytes", &heap_bytes);
  function("liveObjects", &live_objects);
}

}  // namespace quintet::js
