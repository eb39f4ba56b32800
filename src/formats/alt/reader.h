#pragma once
// Reads an ALT file (docs/formats/alt.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::alt {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads only what precedes the tensors, for example the tokenizer. The tensors are neither read nor checked, nor listed
// in the description.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::alt
