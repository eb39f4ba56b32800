#pragma once
// Random operands. Every run has its own seed, which it prints; QUINTET_TEST_SEED=<seed>
// repeats a run.

#include <cstdint>
#include <random>
#include <vector>

namespace quintet::testing {

uint32_t seed();

class Random {
 public:
  // Runs of one test that differ in `salt` get different numbers.
  explicit Random(uint32_t salt = 0) : engine_(seed() + salt) {}

  int integer(int lowest, int greatest) {
    return lowest + static_cast<int>(engine_() % static_cast<uint32_t>(greatest - lowest + 1));
  }
  float number() { return static_cast<float>(engine_() >> 8) * 0x1p-23f - 1; }  // in [-1, 1)
  std::vector<float> numbers(size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = number();
    return values;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace quintet::testing
