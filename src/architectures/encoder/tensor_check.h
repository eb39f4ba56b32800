#pragma once
// Checks that the tensors of a file are those of an encoder.

#include <vector>

#include "architectures/encoder/config.h"
#include "architectures/encoder/tensor_names.h"
#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

// Checks that every tensor that the encoder needs is among `tensors`, with the shape that the configuration requires,
// and that there are no more layers. MISMATCH or MISSING with the name, the shape and the expected shape; other tensors
// are allowed.
Status check_encoder_tensors(const EncoderConfig& config, const encoder::TensorNames& names,
                             const std::vector<TensorInfo>& tensors);

}  // namespace quintet
