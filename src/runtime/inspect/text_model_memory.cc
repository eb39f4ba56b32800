// The memory of decoders and encoders.

#include <algorithm>

#include "architectures/encoder/config.h"
#include "kernels/quantize.h"
#include "models/decoder/attention.h"
#include "models/decoder/decoder.h"
#include "models/decoder/kv_cache.h"
#include "models/decoder/pass_sizes.h"
#include "models/decoder/weights_loader.h"
#include "models/encoder/pass_sizes.h"
#include "models/encoder/weights_loader.h"
#include "runtime/inspect/memory_estimate.h"

namespace quintet {
namespace {

// The length of the text for which an encoder's memory is estimated.
constexpr uint64_t kTextTokens = 256;

// The buffers of a pass at the end of the context, and the logits: of the pass, of the session, and for the sampler.
uint64_t decoder_pass_bytes(const DecoderConfig& config, const decoder::KvCache::Shape& shape, uint64_t context) {
  constexpr uint64_t kTokens = decoder::Decoder::kMaxTokens, kBlock = 32, kLogits = 2;
  const uint64_t rows = std::min(context, kTokens);
  const decoder::PassSizes sizes(config, rows);
  const decoder::Attention::BufferSizes attention(config, shape, static_cast<size_t>(context));
  const uint64_t widest = std::max<uint64_t>(decoder::Sizes(config).max_ff, config.n_embd);
  return (sizes.sum() + attention.sum() + kLogits * config.n_vocab) * sizeof(float) +
         block_activation_bytes(rows, widest / kBlock);
}

Result<EncoderConfig> read_config(const ModelDescription& description) {
  return description.format == Format::gguf ? read_encoder_gguf(description) : read_embd_encoder(description, 0);
}

// A safetensors file alone, of any family: matrices of the shapes of its tensors. `hidden`: the width of the layers.
MemoryEstimate unknown_encoder_memory(const ModelDescription& description, bool to_int8) {
  MemoryEstimate memory;
  uint64_t hidden = 0;
  for (const TensorInfo& info : description.tensors) {
    const bool is_matrix = info.shape.size() == 2 && storage_of(info.dtype);
    if (!is_matrix) {
      memory.weights += info.elements() * sizeof(float);
      continue;
    }
    const bool is_table = info.name.find("embeddings") != std::string::npos;
    const Storage storage = to_int8 ? Storage::i8 : *storage_of(info.dtype);
    const auto rows = static_cast<size_t>(info.shape[0]), cols = static_cast<size_t>(info.shape[1]);
    memory.weights +=
        is_table ? RowTable(storage, rows, cols).whole_bytes() : PackedMatrix(storage, rows, cols).whole_bytes();
    hidden = std::max(hidden, std::min(info.shape[0], info.shape[1]));
  }
  // Queries, keys, values, contexts and hidden states of all tokens, and a block of the usual hidden part.
  memory.work = hidden * sizeof(float) * (5 * kTextTokens + 4 * encoder::kRowBlock);
  return memory;
}

}  // namespace

Result<uint64_t> kv_cache_bytes(const DecoderConfig& config, const KvTypes& types, uint64_t positions) {
  QUINTET_TRY(const decoder::KvCache::Shape shape, decoder::kv_cache_shape(config, types));
  return decoder::KvCache::bytes_for(shape, static_cast<size_t>(positions));
}

MemoryEstimate decoder_memory(const ModelDescription& description, const GeneratorOptions& options) {
  MemoryEstimate memory;
  const auto config = read_decoder_config(description);
  if (!config) return memory;
  decoder::WeightsLoader loader(max_bits(options.quantize));
  loader.begin(*config, decoder::TensorNames(description));
  for (const TensorInfo& info : description.tensors) memory.weights += loader.announce(info).value_or(0);
  const uint64_t context = options.context_length == 0 ? config->max_seq_len : options.context_length;
  const auto shape = decoder::kv_cache_shape(*config, options.kv_types);
  if (!shape) return memory;
  memory.work =
      decoder::KvCache::bytes_for(*shape, static_cast<size_t>(context)) + decoder_pass_bytes(*config, *shape, context);
  return memory;
}

MemoryEstimate encoder_memory(const ModelDescription& description, bool to_int8) {
  const auto config = read_config(description);
  if (!config) return unknown_encoder_memory(description, to_int8);
  MemoryEstimate memory;
  encoder::Weights weights;
  encoder::WeightsLoader loader(weights, to_int8);
  loader.begin(encoder::TensorNames(description, *config), *config);
  for (const TensorInfo& info : description.tensors) {
    if (!loader.announce(info)) return memory;
  }
  for (const TensorInfo& info : description.tensors) memory.weights += loader.bytes_of(info);
  const uint64_t tokens = std::min<uint64_t>(kTextTokens, config->max_tokens());
  const encoder::PassSizes pass(*config, static_cast<size_t>(config->n_layers), tokens);
  const encoder::AttentionSizes attention(*config, tokens);
  const uint64_t block = std::min<uint64_t>(tokens, encoder::kRowBlock);
  memory.work = (pass.sum() + attention.sum() + block * encoder::intermediate_width(*config)) * sizeof(float);
  return memory;
}

}  // namespace quintet
