#pragma once
// Reads .weights files, fed by chunks: the container of docs/formats/weights.md and the flat list of the first
// converter.

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::weights {

// Checks everything that the format rules, and gives each tensor's data to the sink in the order of the file. An error
// tells the format and the byte that is wrong.
Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads as far as the vocabulary alone: the tensors are neither read nor checked, nor is the description's list of them
// filled. A flat list, which has its vocabulary at the end, is read as a whole.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::weights
