#pragma once
// Reads a tinyRuntime file (docs/formats/tinyruntime.md): its table is checked against the network that it announces,
// and its tensors get torchvision's names.

#include "architectures/resnet/graph.h"
#include "base/task.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// What the file holds: its tensors with their places, and its settings. Requires a table that was checked.
ModelDescription describe(FileTable table, const ResNetGraph& graph);

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options);

}  // namespace quintet::tinyruntime
