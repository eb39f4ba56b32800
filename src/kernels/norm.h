#pragma once
// Normalization of activations, row by row; y may be x.

#include <cstddef>

namespace quintet {

// Layer normalization (Ba et al. 2016, arXiv:1607.06450): y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.
using LayerNormRows = void(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma,
                           const float* beta, float epsilon, float* y, size_t y_stride);

// RMSNorm (Zhang and Sennrich 2019, arXiv:1910.07467): y = x / sqrt(mean(x^2) + epsilon) * gamma.
using RmsNormRows = void(const float* x, size_t x_stride, size_t rows, size_t cols, const float* gamma, float epsilon,
                         float* y, size_t y_stride);

}  // namespace quintet
