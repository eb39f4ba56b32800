#pragma once
// A second reader of tinyRuntime files, as plain as can be: it trusts the file, walks it from front to back and shares
// no code with the package.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/formats/reading.h"

namespace quintet::test {

struct PlainNetworkTensor {
  std::string name;
  std::vector<uint64_t> shape;
  std::vector<float> values;
};

// `kind` and `architecture` as an inspection shows them. In the order of the file.
std::vector<PlainNetworkTensor> plain_tinyruntime(const File& file, const std::string& kind,
                                                  const std::string& architecture);

}  // namespace quintet::test
