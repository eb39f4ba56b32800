#pragma once
// The weights of the benchmark's models: the same in every run and everywhere, so that what a reader hands on can be
// compared without a second copy of the model.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quintet::bench {

class SeededValues {
 public:
  SeededValues();

  // Values of a tensor from place `at` on, in [-1, 1): between 1 and `most` of them, as many as lie in one piece.
  std::span<const float> run(size_t tensor, uint64_t at, uint64_t most) const;
  float at(size_t tensor, uint64_t at) const { return run(tensor, at, 1)[0]; }

 private:
  std::vector<float> pool_;  // which tensors go round and round, each from a place of its own
};

}  // namespace quintet::bench
