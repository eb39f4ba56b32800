#pragma once
// The golden files under tests/fixtures, as tests want them.

#include <cstddef>
#include <string>
#include <vector>

namespace quintet::test {

std::vector<std::byte> read_fixture(const std::string& path);
// The paths of the files in a folder, in ascending order.
std::vector<std::string> fixtures_in(const std::string& folder, const std::string& extension);

// A two-dimensional float32 array in NumPy's .npy format, version 1.
struct Npy {
  size_t rows = 0;
  size_t cols = 0;
  std::vector<float> values;

  const float* row(size_t i) const { return values.data() + i * cols; }
};
Npy read_npy(const std::string& path);

}  // namespace quintet::test
