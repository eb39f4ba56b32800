#pragma once
// AMB files written out field by field, for tests of what no writer makes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "tests/formats/reading.h"

namespace quintet::test {

struct AmbRecord {
  std::string name = "t";
  std::vector<uint32_t> shape = {1};
  uint8_t type = 0;
  std::string quantization = {};  // of quantized types: quant type, block size, scale type, scales
  uint64_t data_size = 4;
  std::string data = std::string(4, '\0');
};

class AmbBuilder {
 public:
  std::string metadata = "{}";
  std::string config = R"({"architecture":"llama","n_vocab":1,"n_embd":1,"n_layers":1,"n_heads":1})";
  std::string tokenizer;

  AmbBuilder& add(const AmbRecord& record);
  // `hidden` bytes of weights follow that are not given.
  File file(uint64_t hidden = 0) const;
  uint64_t weights_begin() const { return 28 + metadata.size() + config.size() + tokenizer.size(); }

 private:
  std::vector<AmbRecord> records_;
};

}  // namespace quintet::test
