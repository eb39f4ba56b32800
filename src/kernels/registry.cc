#include "kernels/registry.h"

#include <array>

#include "kernels/relaxed/relaxed_dot.h"
#include "kernels/variants.h"

namespace quintet {

// The table of each variant, with the kernels of a set.
#define QUINTET_ENTRY(kernel, type, sets, source) .kernel = intersect(kernel_sets::sets, kSet) ? kernel : nullptr,

namespace scalar {
template <KernelSet kSet>
constexpr Kernels kTable = {.name = "scalar", .has_fused_dot = [] { return false; }, QUINTET_KERNELS(QUINTET_ENTRY)};
}  // namespace scalar

namespace simd128 {
template <KernelSet kSet>
constexpr Kernels kTable = {.name = "simd128", .has_fused_dot = [] { return false; }, QUINTET_KERNELS(QUINTET_ENTRY)};
}  // namespace simd128

#if QUINTET_RELAXED
namespace relaxed {
template <KernelSet kSet>
constexpr Kernels kTable = {.name = "relaxed",
                            .has_fused_dot = [] { return relaxed_dot() != RelaxedDot::paired; },
                            QUINTET_KERNELS(QUINTET_ENTRY)};
}  // namespace relaxed
#endif

#undef QUINTET_ENTRY

namespace {

#if QUINTET_RELAXED
template <KernelSet kSet>
constexpr std::array kCompiled = {&scalar::kTable<kSet>, &simd128::kTable<kSet>, &relaxed::kTable<kSet>};

#if defined(__wasm__)
// A module has one set, and only the definition and the fastest variant.
template <KernelSet kSet>
  requires(kSet != KernelSet::all)
constexpr std::array kCompiled<kSet> = {&scalar::kTable<kSet>, &relaxed::kTable<kSet>};
#endif
#else
template <KernelSet kSet>
constexpr std::array kCompiled = {&scalar::kTable<kSet>, &simd128::kTable<kSet>};
#endif

template <KernelSet kSet>
const Kernels* active = kCompiled<kSet>.back();

}  // namespace

template <KernelSet kSet>
std::span<const Kernels* const> compiled_kernels() {
  return kCompiled<kSet>;
}

template <KernelSet kSet>
const Kernels& active_kernels() {
  return *active<kSet>;
}

template <KernelSet kSet>
bool force_kernels(std::string_view name) {
  for (const Kernels* kernels : kCompiled<kSet>) {
    if (kernels->name != name) continue;
    active<kSet> = kernels;
    return true;
  }
  return false;
}

#define QUINTET_INSTANTIATE(set)                                               \
  template std::span<const Kernels* const> compiled_kernels<KernelSet::set>(); \
  template const Kernels& active_kernels<KernelSet::set>();                    \
  template bool force_kernels<KernelSet::set>(std::string_view name);
QUINTET_KERNEL_SETS(QUINTET_INSTANTIATE)
#undef QUINTET_INSTANTIATE

}  // namespace quintet
