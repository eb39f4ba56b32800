#pragma once
// Reads a GGUF file (docs/formats/gguf.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::gguf {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads only what precedes the tensors, for example the tokenizer. The tensors are neither read nor checked, nor listed
// in the description.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::gguf
