#pragma once
// A loaded decoder with everything that generation needs.

#include <optional>
#include <string_view>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "models/decoder/weights.h"
#include "runtime/tokenize/text_codec.h"
#include "tensor/packed/block_matrix.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

struct GeneratorOptions {
  enum class Quantize : uint8_t { none, int8, int4 };
  Quantize quantize = Quantize::none;  // of matrices, while they are read; finer quantization in the file is kept
  uint64_t context_length = 0;         // 0: the model's own max_seq_len, or as much of it as fits
  KvTypes kv_types = {};
};

// Matrices with more bits per value are requantized; absent: none.
std::optional<BlockBits> max_bits(GeneratorOptions::Quantize quantize);

struct GeneratorModel {
  ModelDescription description;  // without the vocabulary, which is in the codec
  DecoderConfig config;
  decoder::Weights weights;
  TextCodec codec;
  uint64_t vocabulary_size = 0;  // number of tokens of the codec
  uint64_t context_length = 0;   // maximum number of positions of a session
  KvTypes kv_types = {};
};

// The load options of a generator.
struct GeneratorRequest {
  std::optional<Format> format;  // of a single file; absent: detected from its first bytes
  GeneratorOptions options;
};

// { format?, quantize?, contextLength?, kvCache? } as JSON. INPUT for an option that is unknown or invalid.
Result<GeneratorRequest> read_generator_options(std::string_view json);

}  // namespace quintet
