#pragma once
// Reads a tinyRuntime file (docs/formats/tinyruntime.md): checks its table against the network that it announces, and
// gives its tensors torchvision's names.

#include "base/task.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"
#include "formats/tinyruntime/file_table.h"
#include "formats/tinyruntime/network.h"

namespace quintet::tinyruntime {

// The description of the file: its tensors with their positions, and its settings. Requires a checked table.
ModelDescription describe(FileTable table, const Network& graph);

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::tinyruntime
