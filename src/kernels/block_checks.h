#pragma once
// The part of self_test() for block-quantized weights.

#include <span>

#include "kernels/self_test_numbers.h"

namespace quintet {

std::span<const KernelCheck> block_checks();

}  // namespace quintet
