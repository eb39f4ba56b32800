#pragma once
// A second reader of AMB files, for comparison: it trusts the file, holds it whole, and uses nothing of the library.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quintet::test {

struct PlainAmbTensor {
  std::vector<uint32_t> shape;
  int type = 0;  // codes of the specification
  int block = 0;
  int scale_type = -1;
  std::vector<float> values;
};

struct PlainAmbTokenizer {
  int type = -1;
  std::vector<int> special;  // BOS, EOS, PAD, UNK, MASK
  std::vector<std::string> merges;
  std::vector<std::pair<uint32_t, std::string>> tokens;
  std::string opaque;  // of SentencePiece and custom ones
};

struct PlainAmb {
  int flags = 0;
  std::string metadata, config;
  PlainAmbTokenizer tokenizer;
  std::map<std::string, PlainAmbTensor> tensors;
  std::vector<std::string> names;  // in order
  size_t end = 0;                  // of the weights
};

PlainAmb read_plain_amb(const std::vector<std::byte>& file);

}  // namespace quintet::test
