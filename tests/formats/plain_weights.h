#pragma once
// A second reader of .weights files, for comparison: it trusts the file, holds it whole, and uses nothing of the
// library.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace quintet::test {

struct PlainTensor {
  int dtype = 0;  // code of the specification
  std::vector<uint32_t> shape;
  std::vector<double> values;  // as stored
};

struct PlainWeights {
  std::map<std::string, std::string> metadata;
  std::vector<std::string> tokens;
  std::map<std::string, PlainTensor> tensors;
};

PlainWeights read_plain_weights(const std::vector<std::byte>& file);

// Reads the flat layout.
PlainWeights read_plain_flat(const std::vector<std::byte>& file);

}  // namespace quintet::test
