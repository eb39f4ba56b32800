#pragma once
// The part of self_test() for convolutions.

#include <span>

#include "kernels/self_test_numbers.h"

namespace quintet {

std::span<const KernelCheck> float_convolution_checks();
std::span<const KernelCheck> static_convolution_checks();
std::span<const KernelCheck> grouped_convolution_checks();

}  // namespace quintet
