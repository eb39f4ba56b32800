#pragma once
// The tensors that a table announces, with their places in the file.

#include <vector>

#include "formats/model_description.h"
#include "formats/resnet_graph.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// In the order of the data: weights and biases of the layers, then the arrays of the batch norms. Requires a table that
// was checked.
std::vector<TensorInfo> tensors_of(const FileTable& table, const ResNetGraph& graph);

}  // namespace quintet::tinyruntime
