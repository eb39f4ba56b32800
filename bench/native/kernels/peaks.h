#pragma once
// What the instruction set can do at best in this engine: loops that do nothing but multiply and
// add in registers.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace quintet::bench {

struct Peaks {
  double multiply_add_f32 = 0;         // GFLOP/s with mul + add
  double relaxed_madd_f32 = 0;         // GFLOP/s with the fused instruction; 0 without relaxed SIMD
  double dot_i16 = 0;                  // GMAC/s with i32x4.dot_i16x8_s
  double relaxed_dot_i8 = 0;           // GMAC/s with i32x4.relaxed_dot_i8x16_i7x16_add_s; 0 without relaxed SIMD
  double relaxed_dot_i8_in_steps = 0;  // GMAC/s with i16x8.relaxed_dot, extadd_pairwise and add

  // Of what the variant may use.
  double f32(std::string_view variant) const {
    return variant == "relaxed" ? std::max(relaxed_madd_f32, multiply_add_f32) : multiply_add_f32;
  }
  double i8(std::string_view variant) const {
    return variant == "relaxed" ? std::max(relaxed_dot_i8, relaxed_dot_i8_in_steps) : dot_i16;
  }
};

Peaks measure_peaks();

// GB/s of a plain loop over memory.
double read_rate(const void* memory, size_t bytes);

}  // namespace quintet::bench
