// The memory of image networks.

#include <algorithm>
#include <vector>

#include "architectures/vision/table_graph.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/tensors.h"
#include "models/vision/plan.h"
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
  const vision::PassBytes pass = vision::pass_bytes(vision::graph_of(layers, *network).graph, value_bytes);
  // Few convolutions need working memory as large as the largest map.
  memory.work = pass.image + pass.maps + pass.largest / 2;
  return memory;
}

MemoryEstimate picture_memory(const ModelDescription& description) {
  // The maps of a picture of 224 pixels and the folding of the last layer, in MobileNets and networks of their size.
  constexpr uint64_t kPictureBytes = uint64_t{12} << 20;
  MemoryEstimate memory = {.work = kPictureBytes};
  for (const TensorInfo& info : description.tensors) memory.weights += info.elements() * sizeof(float);
  return memory;
}

}  // namespace quintet
