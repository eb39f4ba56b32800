#pragma once
// The options of a conversion.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/convert/low_rank.h"

namespace quintet {

enum class Quantize : uint8_t {
  keep,  // as in the source, if the format has such a type
  none,  // everything as float32
  f16,
  bf16,
  int8,
  int4,
  int5,
  int4_block,
  int5_block,
  adaptive,  // AMB; ALT allows int8 and int4
  int8_row,
  int8_group,  // .weights
  dq8,
  dq8_symmetric,
  sq8,  // tinyRuntime
};

enum class ObserverKind : uint8_t { min_max, histogram };

struct ConvertOptions {
  Format to = Format::embd;
  Quantize quantize = Quantize::keep;
  std::optional<uint64_t> group_size;             // values that share a scale; 0, for AMB: the whole tensor
  std::optional<Dtype> scale_dtype;               // AMB: f16 or f32
  std::optional<double> bits;                     // adaptive: average per weight
  ObserverKind observer = ObserverKind::min_max;  // sq8
  Json metadata = Json::object();                 // added to those of the source, or replacing them; null removes
  std::vector<LowRank> products;                  // are added to matrices; not in the JSON
};

// Reads ConvertOptions from JSON. Unknown options, and options that do not apply together, are errors.
Result<ConvertOptions> read_convert_options(std::string_view json);

}  // namespace quintet
