// The memory of image networks.

#include <algorithm>
#include <string>
#include <vector>

#include "architectures/vision/table_graph.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/tensors.h"
#include "models/vision/plan.h"
#include "models/vision/planned_weights.h"
#include "runtime/inspect/memory_estimate.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {
namespace {

// Rows of a window that are contiguous in memory: for a convolution those of its kernel, for a linear layer the whole
// input.
size_t segments_of(const LayerTable& layers, uint32_t layer) {
  return layer < layers.convs.size() ? layers.convs[layer].kernel : 1;
}

uint64_t float_bytes(size_t rows, size_t columns) {
  return uint64_t{PackedMatrix(Storage::f32, rows, columns).panels()} * kPanelRows * columns * sizeof(float);
}

// Int8 segments have a zero point each and, in groups, a scale.
uint64_t paired_bytes(size_t rows, size_t segments, size_t length, bool scales) {
  const PairedMatrix matrix(rows, segments, length);
  const uint64_t numbers = uint64_t{segments} * kPanelRows * (sizeof(int16_t) + (scales ? sizeof(float) : 0));
  return matrix.panels() * (matrix.panel_values() + numbers);
}

uint64_t matrix_bytes(const LayerTable& layers, uint32_t layer, const TensorInfo& info) {
  const auto rows = static_cast<size_t>(info.shape[0]);
  const auto columns = static_cast<size_t>(info.elements()) / rows;
  switch (info.quantization.scheme) {
    case Scheme::group_int8:
      return paired_bytes(rows, columns / info.quantization.block, info.quantization.block, true);
    case Scheme::tensor_int8: {
      const size_t segments = segments_of(layers, layer);
      return paired_bytes(rows, segments, columns / segments, false);
    }
    default:
      return float_bytes(rows, columns);
  }
}

void add_tower(const ModelDescription& description, const vision::Graph& graph, bool to_int8, MemoryEstimate& memory) {
  const vision::PlannedWeights planned = vision::plan_weights(graph, description.tensors, to_int8);
  memory.weights += planned.bytes;
  memory.reading = std::max(memory.reading, planned.folding);
  memory.work = std::max(memory.work, vision::pass_bytes(graph, sizeof(float)));
}

}  // namespace

MemoryEstimate table_memory(const ModelDescription& description) {
  const LayerTable& layers = *description.layers;
  const auto network = tinyruntime::recognise_network(layers);
  MemoryEstimate memory;
  if (!network) return memory;
  const std::vector<tinyruntime::NetworkTensor> tensors = network_tensors(layers, *network);
  for (size_t i = 0; i < std::min(tensors.size(), description.tensors.size()); ++i) {
    const TensorInfo& info = description.tensors[i];
    const bool is_matrix = tensors[i].part == tinyruntime::TensorPart::weight;
    memory.weights += is_matrix ? matrix_bytes(layers, tensors[i].layer, info) : info.elements() * sizeof(float);
  }
  const size_t value_bytes = layers.kind == NetworkKind::sq8 ? sizeof(int16_t) : sizeof(float);
  memory.work = vision::pass_bytes(vision::graph_of(layers, *network).graph, value_bytes);
  return memory;
}

bool graph_memory(const ModelDescription& description, const LoadPlan& plan, MemoryEstimate& memory) {
  const std::string* const text = description.metadata.get("config.json").as_string();
  const auto config = parse_json(text ? *text : "null");
  if (!config) return false;
  const auto towers = vision::read_towers(*config, description.tensors, plan.towers);
  if (!towers) return false;
  if (towers->image) add_tower(description, *towers->image, plan.to_int8(), memory);
  if (towers->text) add_tower(description, *towers->text, plan.to_int8(), memory);
  return true;
}

}  // namespace quintet
