#include "runtime/convert/stored_type.h"

#include <algorithm>

namespace quintet {

bool is_real(const TensorInfo& info) {
  if (info.quantized()) return true;
  switch (info.dtype) {
    case Dtype::f32:
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::f64:
    case Dtype::f8_e4m3:
    case Dtype::f8_e5m2:
      return true;
    default:
      return false;
  }
}

StoredType plain_type(const TensorInfo& info, const ConvertOptions& options, std::initializer_list<Dtype> kept) {
  if (options.quantize == Quantize::f16) return {.dtype = Dtype::f16};
  if (options.quantize == Quantize::bf16) return {.dtype = Dtype::bf16};
  const bool keep = options.quantize != Quantize::none && !info.quantized();
  return {.dtype = keep && std::ranges::find(kept, info.dtype) != kept.end() ? info.dtype : Dtype::f32};
}

}  // namespace quintet
