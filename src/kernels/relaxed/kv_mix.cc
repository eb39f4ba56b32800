#include "kernels/generic/kv_mix.h"

#include "kernels/relaxed/arithmetic.h"
#include "kernels/variants.h"

namespace quintet::relaxed {

void kv_mix(const float* weights, size_t weights_stride, size_t rows, const KvRowLayout& layout,
            const std::byte* values, size_t count, float* out, size_t out_stride) {
  generic::kv_mix<Arithmetic>({weights, weights_stride, layout, values, out, out_stride}, rows, count);
}

}  // namespace quintet::relaxed
