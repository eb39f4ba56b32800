#pragma once
// Reads .weights files in chunks: the container of docs/formats/weights.md and the flat list of the first converter.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::embd {

// Checks all rules of the format, and passes the data of each tensor to its sink in the order of the file. Errors have
// the format and the offset.
Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads only up to the vocabulary: tensors are neither read nor checked, nor listed in the description. A flat list,
// which has its vocabulary at the end, is read as a whole.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::embd
