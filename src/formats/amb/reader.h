#pragma once
// Reads an AMB file (docs/formats/amb.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::amb {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::amb
