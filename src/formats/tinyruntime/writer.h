#pragma once
// Writes a tinyRuntime file (docs/formats/tinyruntime.md).

#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "formats/model_writer.h"
#include "formats/tinyruntime/file_table.h"
#include "formats/tinyruntime/network.h"

namespace quintet::tinyruntime {

// The offsets of a table whose layers and groups are known. They count elements, so that the reference runtime can read
// the file (docs/formats/tinyruntime.md, "Parameters"). INPUT if they do not fit 32 bits.
Status fill_offsets(FileTable& table);

void write_table(const FileTable& table, std::vector<std::byte>& out);

// The table of `description.layers`, with groups, scales and zero points from its tensors. INPUT if the tensors do not
// match the layers in order and kind. Requires layers that were recognized as `graph`.
Result<FileTable> plan_table(const ModelDescription& description, const Network& graph);

std::unique_ptr<ModelWriter> make_writer();

}  // namespace quintet::tinyruntime
