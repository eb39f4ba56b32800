#pragma once
// Values derived from the layers of a table: the sizes of the following sections, and where the parameters of each
// layer start in them.

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// Bytes of a layer in the quantized parameters; for vanilla in the parameters.
uint64_t parameter_bytes(const FileTable& table, size_t layer);
// Number of float32 and int32 values of a dq8 layer among the floats: scales and zero points.
uint64_t scale_values(const FileTable& table, size_t layer);
// The size of the file that follows from the header, the layers and the activations.
uint64_t file_bytes(const FileTable& table);

// The position to blame for an error of the table: that of layer `against`, if the offset after it shows that its size
// is wrong.
uint64_t blame(const LayerFault& fault, const FileTable& table, std::optional<uint64_t> total);

// Checks that groups divide their tensors evenly, and that offsets are the running totals, in elements or in bytes
// (docs/formats/tinyruntime.md, "Parameters" and "Values"). Requires layer sizes from 1 to kMaxChannels.
Status check_sections(const FileTable& table);

}  // namespace quintet::tinyruntime
