#pragma once
// The kernels of one instruction set, as a table of functions. `scalar` is the definition: it is written for
// readability, and every other variant is tested against it (kernels/registry.h). Each operation has a header with its
// contract.
//
// All matrices are row-major; a stride is a distance in elements. Every element of a result depends only on its own row
// of the activations, and is summed in an order that does not depend on other rows: the vector of a text has the same
// bits alone or in any batch.

#include <string_view>

#include "kernels/activate.h"
#include "kernels/attention.h"
#include "kernels/channels.h"
#include "kernels/convolve_f32.h"
#include "kernels/convolve_group_quantized.h"
#include "kernels/convolve_i16.h"
#include "kernels/convolve_i8.h"
#include "kernels/depthwise_f32.h"
#include "kernels/gemm_adaptive.h"
#include "kernels/gemm_blocks.h"
#include "kernels/gemm_f32.h"
#include "kernels/gemm_i8.h"
#include "kernels/kernel_list.h"
#include "kernels/max_pool.h"
#include "kernels/mlp_activation.h"
#include "kernels/norm.h"
#include "kernels/pack.h"
#include "kernels/pointwise_i8.h"
#include "kernels/quantize.h"
#include "kernels/quantize_im2col.h"
#include "kernels/rotate_heads.h"
#include "kernels/soft_cap.h"
#include "kernels/softmax.h"
#include "kernels/winograd_f32.h"
#include "kernels/winograd_i16.h"

namespace quintet {

struct Kernels {
  std::string_view name;  // "scalar", "simd128", "relaxed"

  // Whether the processor multiplies and adds four pairs of bytes in one instruction.
  bool (*has_fused_dot)();

  // Null if the kernel is not in the set of the table.
#define QUINTET_POINTER(kernel, type, sets, source) type* kernel;
  QUINTET_KERNELS(QUINTET_POINTER)
#undef QUINTET_POINTER
};

}  // namespace quintet
