#include "runtime/inspect/memory_estimate.h"

#include <algorithm>

#include "models/decoder/kv_cache.h"
#include "models/decoder/weights_loader.h"
#include "runtime/inspect/network_memory.h"

namespace quintet {
namespace {

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

// A decoder's tensors as they are kept; those that it does not use are not. Nothing is known where the config is wrong.
MemoryEstimate decoder_memory(const ModelDescription& description) {
  MemoryEstimate memory;
  const auto config = read_decoder_config(description);
  if (!config) return memory;
  decoder::WeightsLoader loader(std::nullopt);
  loader.begin(*config, decoder::TensorNames(description));
  for (const TensorInfo& info : description.tensors) memory.weights += loader.memory_of(info).value_or(0);
  memory.load = memory.weights + kv_cache_bytes(*config, KvType::f32, config->max_seq_len).value_or(0);
  return memory;
}

}  // namespace

Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, KvType type, uint64_t positions) {
  QUINTET_TRY(const KvRowLayout row, kv_row_layout(type, static_cast<size_t>(config.head_dim)));
  const decoder::KvCache::Shape shape = {.layers = static_cast<size_t>(config.n_layers),
                                         .kv_heads = static_cast<size_t>(config.n_kv_heads),
                                         .row = row,
                                         .window = static_cast<size_t>(config.sliding_window)};
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
      memory.weights = network_weight_bytes(description);
      memory.load = memory.weights + network_work_bytes(*description.layers);
      break;
    case Format::weights:
    case Format::safetensors:
      for (const TensorInfo& info : description.tensors) memory.weights += info.payload_bytes();
      memory.load = memory.weights + encoder_work(description);
      break;
  }
  memory.load += vocabulary_bytes(description.tokenizer.size());
  return memory;
}

}  // namespace quintet
