#pragma once
// What follows from a table's layers: the sizes of the sections behind it, and where each layer's parameters begin in
// them.

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "formats/tinyruntime/file_table.h"

namespace quintet::tinyruntime {

// Bytes that a layer takes among the quantized parameters, of vanilla among the parameters.
uint64_t parameter_bytes(const FileTable& table, size_t layer);
// float32 and int32 values that a layer of dq8 has among the floats: scales and zero points.
uint64_t scale_values(const FileTable& table, size_t layer);
// The size that the header, the layers and the activations give the file.
uint64_t file_bytes(const FileTable& table);

// The place to blame for a fault of the table: where the offset behind the layer `against` tells that its size is
// wrong, that one's.
uint64_t blame(const LayerFault& fault, const FileTable& table, std::optional<uint64_t> total);

// Group sizes divide what they group, offsets are the running totals, in elements or in bytes
// (docs/formats/tinyruntime.md and 4). Requires layers that recognise_resnet() has accepted.
Status check_sections(const FileTable& table);

}  // namespace quintet::tinyruntime
