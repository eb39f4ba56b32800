#pragma once
// Symmetric 8-bit quantization, the definition: a group of values shares one scale, value = q * scale with q in
// [-127, 127]. A row of a matrix is one group, or is cut into groups of equal length.

#include <cstdint>
#include <span>

namespace quintet {

constexpr float kInt8Limit = 127.0F;

// Quantizes one group and returns its scale: max|x| / 127, and 0 (with all q = 0) for a group of zeros. Ties are
// rounded to the even neighbour. Requires finite values and q.size() == values.size().
float quantize_int8(std::span<const float> values, std::span<int8_t> q);

// Quantizes a row in scales.size() groups of equal length. Requires scales.size() to divide row.size().
void quantize_int8_row(std::span<const float> row, std::span<int8_t> q, std::span<float> scales);

// The reverse.
void dequantize_int8_row(std::span<const int8_t> q, std::span<const float> scales, std::span<float> row);

}  // namespace quintet
