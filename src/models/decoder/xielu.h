#pragma once
// The activation xIELU (Huang and Schlag 2024, arXiv:2411.13010), which has its own parameters in each layer.

#include <span>

#include "architectures/decoder/config.h"

namespace quintet::decoder {

void apply_xielu(const Xielu& parameters, std::span<float> values);

}  // namespace quintet::decoder
