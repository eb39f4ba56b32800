#pragma once
// Reads a GGUF file (docs/formats/gguf.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::gguf {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads what stands ahead of the tensors, the tokenizer for one: these are neither read nor checked, nor is the
// description's list of them filled.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::gguf
