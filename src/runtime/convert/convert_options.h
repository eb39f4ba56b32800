#pragma once
// What a caller asks of a conversion to .weights.

#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet {

enum class Quantize : uint8_t {
  keep,  // as the source stores it
  none,  // everything as float32
  f16,
  bf16,
  int8_row,    // the matrices with a scale for each row, the rest as the source stores it
  int8_group,  // the matrices with a scale for each group of a row, the rest as the source stores it
};

struct ConvertOptions {
  Quantize quantize = Quantize::keep;
  uint64_t group_size = 64;
  Json metadata = Json::object();  // text that replaces the source's, or comes on top; null removes
};

// Reads the JSON of the contract's ConvertOptions. An option that is unknown, or has no meaning here, is an error.
Result<ConvertOptions> read_convert_options(std::string_view json);

}  // namespace quintet
