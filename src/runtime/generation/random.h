#pragma once
// The generator of random numbers that sampling draws from: the same seed gives the same numbers everywhere, which the
// standard library's distributions do not promise.

#include <array>
#include <cstdint>

namespace quintet {

// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): advances the state.
uint64_t split_mix(uint64_t& state);

// xoshiro256** (Blackman, Vigna 2021, "Scrambled linear pseudorandom number generators", arXiv:1805.01407).
class Random {
 public:
  // The state is filled by SplitMix64, as its authors advise: any seed is good, 0 as well.
  explicit Random(uint64_t seed);
  explicit Random(const std::array<uint64_t, 4>& state) : state_(state) {}

  uint64_t next();
  // Uniform in [0, 1), in steps of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  const std::array<uint64_t, 4>& state() const { return state_; }

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace quintet
