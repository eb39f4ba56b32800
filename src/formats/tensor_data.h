#pragma once
// The part that the readers share: one tensor's data on its way from the input to its sink.

#include "base/crc32.h"
#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet {

// The data of `info` comes next. Opens its sink and writes to it; data that nobody wants is skipped. With `crc`, all
// bytes are counted in it, wanted or not.
Parse<void> read_tensor_data(ByteStream& in, ModelSink& sink, const TensorInfo& info, Crc32* crc = nullptr);

}  // namespace quintet
