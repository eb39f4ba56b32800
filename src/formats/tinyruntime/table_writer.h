#pragma once
// The part of a tinyRuntime file before the parameters, made from a description.

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/resnet_graph.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// The table of `description.layers`, with groups, scales and zero points from its tensors and offsets in elements.
// INPUT errors where the layers are no ResNet (which `graph` is), or the tensors are not those of the layers in their
// order and kind.
Result<FileTable> plan_table(const ModelDescription& description, const ResNetGraph& graph);

void write_table(const FileTable& table, std::vector<std::byte>& out);

}  // namespace quintet::tinyruntime
