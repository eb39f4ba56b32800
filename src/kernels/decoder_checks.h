#pragma once
// The part of self_test() for the kernels of decoders.

#include <span>

#include "kernels/self_test_numbers.h"

namespace quintet {

std::span<const KernelCheck> decoder_checks();

}  // namespace quintet
