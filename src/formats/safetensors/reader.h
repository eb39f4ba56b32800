#pragma once
// Reads safetensors files, fed by chunks, by the rules of the official reader.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::safetensors {

// Tensors reach the sink in the order of their data. An error tells the format and the byte that is wrong.
Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::safetensors
