#pragma once
// What a tinyRuntime file holds: its tensors under torchvision's names with their places in the file, and its settings.

#include "architectures/resnet/graph.h"
#include "formats/model_description.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// Requires a table that was checked.
ModelDescription describe(FileTable table, const ResNetGraph& graph);

}  // namespace quintet::tinyruntime
