#pragma once
// The header and the records of a tinyRuntime file.

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "formats/layer_table.h"
#include "formats/tinyruntime/layout.h"

namespace quintet::tinyruntime {

// The table's record of a convolution or linear layer, in addition to LayerTable.
struct LayerRecord {
  int32_t offset = 0;                         // in the quantized parameters; for vanilla in the parameters
  int32_t scales_offset = 0;                  // dq8
  uint32_t weight_group = 0, bias_group = 0;  // dq8
  float weight_scale = 0;                     // sq8
  int32_t weight_zero_point = 0;
};

struct FileTable {
  TablePlaces places;
  int32_t quantized_bytes = 0;  // dq8, sq8: from the header
  LayerTable layers;
  std::vector<LayerRecord> records;         // convolutions, then linear layers
  std::vector<int32_t> batch_norm_offsets;  // in the floats

  uint64_t weights(size_t layer) const;  // how many
  uint64_t biases(size_t layer) const;
};

// The counts at the start of every kind. That of the classes is checked.
Result<Counts> read_counts(Bytes head);

// The position of a wrong number.
uint64_t place_of(const LayerField& field, const TablePlaces& places);

// The positions of the records in a file of this kind. `head` is the start of the file, at least as much as peek()
// returned; `least_activations`: required by a network of kind sq8.
Result<TablePlaces> read_places(Bytes head, NetworkKind kind, uint32_t min_activations);
// Everything before the parameters. Numbers that can be checked by themselves are checked here: flags, group sizes,
// zero points.
Result<FileTable> read_table(Bytes table, const TablePlaces& places);

}  // namespace quintet::tinyruntime
