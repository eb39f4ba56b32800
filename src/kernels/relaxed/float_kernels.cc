#include "kernels/relaxed/arithmetic.h"

#define QUINTET_VARIANT relaxed
#include "kernels/generic/float_kernels.h"
