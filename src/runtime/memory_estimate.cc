#include "runtime/memory_estimate.h"

#include <algorithm>

#include "base/checked.h"
#include "formats/decoder_config.h"

namespace quintet {
namespace {

// A vocabulary's strings and their index take about this much a token.
constexpr uint64_t kBytesPerToken = 32;

// The activations of one text of the default length, a few rows of the widest layer each.
uint64_t encoder_work(const ModelDescription& description) {
  constexpr uint64_t kRows = 256;
  constexpr uint64_t kFloatsPerHidden = 12;
  uint64_t hidden = 0;
  for (const TensorInfo& info : description.tensors) {
    if (info.shape.size() == 2) hidden = std::max(hidden, std::min(info.shape[0], info.shape[1]));
  }
  return kRows * kFloatsPerHidden * hidden * sizeof(float);
}

// Keys and values of every position that the model can see at once. Nothing is known where the
// config is wrong.
uint64_t decoder_work(const ModelDescription& description) {
  const auto config = decoder_config(description);
  if (!config) return 0;
  const uint64_t window = config->sliding_window;
  const uint64_t positions =
      window == 0 ? config->max_seq_len : std::min(window, config->max_seq_len);
  constexpr uint64_t kKeyAndValue = 2, kBytesPerValue = 2;
  std::optional<uint64_t> bytes = kKeyAndValue * kBytesPerValue;
  for (const uint64_t factor :
       {positions, config->n_layers, config->n_kv_heads, config->head_dim}) {
    bytes = bytes ? checked_mul(*bytes, factor) : bytes;
  }
  return bytes.value_or(0);
}

// Input, output and shortcut of the first block, the largest of a ResNet.
uint64_t network_work(const LayerTable& layers) {
  if (layers.convs.empty()) return 0;
  constexpr uint64_t kBuffers = 3;
  const ConvLayer& stem = layers.convs.front();
  const uint64_t side = stem.stride > 1 ? 224 / 2 : 32;
  return kBuffers * side * side * stem.out_channels * sizeof(float);
}

}  // namespace

MemoryEstimate estimate_memory(const ModelDescription& description) {
  MemoryEstimate memory;
  for (const TensorInfo& info : description.tensors) memory.weights += info.payload_bytes();
  memory.load = memory.weights + description.tokenizer.size() * kBytesPerToken;
  switch (description.format) {
    case Format::weights:
    case Format::safetensors:
      memory.load += encoder_work(description);
      break;
    case Format::amb:
    case Format::alt:
    case Format::gguf:
      memory.load += decoder_work(description);
      break;
    case Format::tinyruntime:
      if (description.layers) memory.load += network_work(*description.layers);
      break;
  }
  return memory;
}

}  // namespace quintet
