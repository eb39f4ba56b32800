#pragma once
// What the checks of self_test() have in common.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "kernels/kernels.h"

namespace quintet {

struct KernelCheck {
  std::string_view kernel;
  bool (*works)(const Kernels& kernels, const Kernels& definition);
};

// Fixed numbers in [-1, 1).
class Sequence {
 public:
  uint32_t next_bits() { return state_ = state_ * 1664525u + 1013904223u; }
  float next() { return static_cast<float>(next_bits() >> 8) * 0x1p-23f - 1; }

 private:
  uint32_t state_ = 20240229;
};

template <size_t kCount>
std::array<float, kCount> numbers() {
  std::array<float, kCount> values;
  Sequence sequence;
  for (float& value : values) value = sequence.next();
  return values;
}

// Rounding errors here are below 1e-5; a wrong instruction is off by far more.
inline bool near(std::span<const float> a, std::span<const float> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-4f)) return false;
  }
  return true;
}

inline bool same(std::span<const float> a, std::span<const float> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace quintet
