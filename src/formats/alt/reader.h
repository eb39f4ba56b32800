#pragma once
// Reads an ALT file (docs/formats/alt.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::alt {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

// Reads what stands ahead of the tensors, the tokenizer for one: these are neither read nor checked, nor is the
// description's list of them filled.
Parse<void> read_head(ByteStream& in, ModelSink& sink);

}  // namespace quintet::alt
