#pragma once
// Writes the part of a tinyRuntime file before the parameters.

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// The offsets of a table whose layers and groups are known. In elements, so that the reference runtime reads the file
// (docs/formats/tinyruntime.md, "Parameters"); an INPUT error where they do not fit 32 bits.
Status fill_offsets(FileTable& table);

void write_table(const FileTable& table, std::vector<std::byte>& out);

}  // namespace quintet::tinyruntime
