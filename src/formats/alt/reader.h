#pragma once
// Reads an ALT file (docs/formats/alt.md).

#include "base/task.h"
#include "formats/model_sink.h"

namespace quintet::alt {

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::alt
