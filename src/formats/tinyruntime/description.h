#pragma once
// What inspection shows of a tinyRuntime file.

#include "formats/model_description.h"
#include "formats/resnet_graph.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// Requires a table that was checked.
ModelDescription describe(FileTable table, const ResNetGraph& graph);

}  // namespace quintet::tinyruntime
