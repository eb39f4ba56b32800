#pragma once
// Reads a tinyRuntime file (docs/formats/tinyruntime.md): its table is checked against the network that it announces,
// and its tensors get torchvision's names.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::tinyruntime {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::tinyruntime
