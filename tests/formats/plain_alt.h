#pragma once
// A second reader of ALT files, written from the specification's tables and for them alone. It trusts the file.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/formats/reading.h"

namespace quintet::test {

struct PlainToken {
  std::string text;
  float score;
  int32_t type;
};

struct PlainAltTensor {
  std::array<int32_t, 4> numbers;  // component, block, layer, projection
  std::vector<int32_t> shape;
  std::string name;
  int32_t type;
  float delta, min, max;
  int8_t packing;
  File data;
};

struct PlainAlt {
  std::vector<std::string> general;
  std::vector<PlainToken> tokens;
  std::vector<PlainAltTensor> tensors;
  size_t bytes_read = 0;
};

PlainAlt read_plain_alt(const File& file);

}  // namespace quintet::test
