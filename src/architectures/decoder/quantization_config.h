#pragma once
// `quantization_config` of config.json: how the weights of a checkpoint are packed.

#include <optional>

#include "base/json.h"
#include "base/result.h"
#include "formats/huggingface/weight_packing.h"

namespace quintet::decoder {

// Nothing if the weights are not quantized. The error for an unsupported quantization names it.
Result<std::optional<huggingface::WeightPacking>> read_weight_packing(const Json& config);

}  // namespace quintet::decoder
