#pragma once
// Reads a GGUF file (docs/formats/gguf.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::gguf {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::gguf
