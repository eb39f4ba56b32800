#include "kernels/simd128/arithmetic.h"

#define QUINTET_VARIANT simd128
#include "kernels/generic/float_kernels.h"
