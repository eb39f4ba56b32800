#pragma once
// Writes a tinyRuntime file (docs/formats/tinyruntime.md).

#include <memory>

#include "architectures/resnet/graph.h"
#include "formats/model_writer.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// The table of `description.layers`, with groups, scales and zero points from its tensors. INPUT errors where the
// tensors are not those of the layers in their order and kind. Requires layers that were recognised as `graph`.
Result<FileTable> plan_table(const ModelDescription& description, const ResNetGraph& graph);

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::tinyruntime
