#include "runtime/inspect/memory_estimate.h"

#include <algorithm>
#include <vector>

#include "architectures/vision/table_graph.h"
#include "formats/tinyruntime/check.h"
#include "formats/tinyruntime/tensors.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/weights_loader.h"
#include "models/vision/plan.h"
#include "tensor/packed/packed_matrix.h"
#include "tensor/packed/paired_matrix.h"

namespace quintet {
namespace {

// The activations of one text of the default length: a few rows of the widest layer per token.
uint64_t encoder_work(const ModelDescription& description) {
  constexpr uint64_t kRows = 256;
  constexpr uint64_t kFloatsPerHidden = 12;
  uint64_t hidden = 0;
  for (const TensorInfo& info : description.tensors) {
    if (info.shape.size() == 2) hidden = std::max(hidden, std::min(info.shape[0], info.shape[1]));
  }
  return kRows * kFloatsPerHidden * hidden * sizeof(float);
}

// A decoder's tensors as stored in memory, without unused ones. Unknown if the config is invalid.
MemoryEstimate decoder_memory(const ModelDescription& description) {
  MemoryEstimate memory;
  const auto config = read_decoder_config(description);
  if (!config) return memory;
  decoder::WeightsLoader loader(std::nullopt);
  loader.begin(*config, decoder::TensorNames(description));
  for (const TensorInfo& info : description.tensors) memory.weights += loader.announce(info).value_or(0);
  memory.load = memory.weights + kv_cache_bytes(*config, KvType::f32, config->max_seq_len).value_or(0);
  return memory;
}

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

// The weights of a network of tinyRuntime, and the maps of a picture of the usual size. Unknown for other tables.
MemoryEstimate network_memory(const ModelDescription& description) {
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
  memory.load = memory.weights + vision::pass_bytes(vision::graph_of(layers, *network).graph, value_bytes);
  return memory;
}

}  // namespace

Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, const KvTypes& types, uint64_t positions) {
  QUINTET_TRY(const decoder::KvCache::Shape shape, decoder::kv_cache_shape(config, types));
  return decoder::KvCache::bytes_for(shape, static_cast<size_t>(positions));
}

uint64_t vocabulary_bytes(uint64_t tokens) {
  constexpr uint64_t kBytesPerToken = 32;
  return tokens * kBytesPerToken;
}

MemoryEstimate estimate_memory(const ModelDescription& description) {
  MemoryEstimate memory;
  switch (description.format) {
    case Format::amb:
    case Format::alt:
    case Format::gguf:
      memory = decoder_memory(description);
      break;
    case Format::tinyruntime:
      memory = network_memory(description);
      break;
    case Format::embd:
    case Format::safetensors:
      for (const TensorInfo& info : description.tensors) memory.weights += info.payload_bytes();
      memory.load = memory.weights + encoder_work(description);
      break;
  }
  memory.load += vocabulary_bytes(description.tokenizer.size());
  return memory;
}

}  // namespace quintet
