#pragma once
// Reads a tinyRuntime file (docs/formats/tinyruntime.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::tinyruntime {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::tinyruntime
