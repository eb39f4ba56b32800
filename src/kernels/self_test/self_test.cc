#include "kernels/registry.h"
#include "kernels/self_test/checks.h"

namespace quintet {

template <KernelSet kSet>
std::optional<std::string_view> self_test(const Kernels& kernels) {
  const Kernels& definition = *compiled_kernels<kSet>().front();
#define QUINTET_RUN(kernel, type, sets, source)               \
  if constexpr (intersect(kernel_sets::sets, kSet)) {         \
    if (!checks::kernel(kernels, definition)) return #kernel; \
  }
  QUINTET_KERNELS(QUINTET_RUN)
#undef QUINTET_RUN
  return std::nullopt;
}

#define QUINTET_INSTANTIATE(set) \
  template std::optional<std::string_view> self_test<KernelSet::set>(const Kernels& kernels);
QUINTET_KERNEL_SETS(QUINTET_INSTANTIATE)
#undef QUINTET_INSTANTIATE

}  // namespace quintet
