#pragma once
// Reads safetensors files in chunks, by the rules of the official reader.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::safetensors {

// Sinks receive tensors in the order of their data. Errors have the format and the offset.
Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::safetensors
