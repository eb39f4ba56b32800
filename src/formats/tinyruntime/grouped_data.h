#pragma once
// The quantized tensors of a dq8 file: all data comes first, then all scales, while a tensor's payload begins with its
// scales.

#include "base/byte_stream.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::tinyruntime {

// Data and scales of `tensors` come next. What somebody wants is held until the scales have arrived.
Parse<void> read_grouped_data(ByteStream& in, ModelSink& sink, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::tinyruntime
