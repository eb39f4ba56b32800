#pragma once
// A loaded decoder with all that generation needs.

#include <optional>
#include <string_view>

#include "architectures/decoder/config.h"
#include "base/result.h"
#include "formats/model_description.h"
#include "models/decoder/weights.h"
#include "runtime/text/text_codec.h"
#include "tensor/packed/kv_rows.h"

namespace quintet {

struct GeneratorOptions {
  enum class Quantize : uint8_t { none, int8, int4 };
  Quantize quantize = Quantize::none;  // of matrices, while they stream in; what is quantized finer stays
  uint64_t context_length = 0;         // 0: the model's own max_seq_len, or what of it fits
  KvType kv_type = KvType::f32;
};

struct GeneratorModel {
  ModelDescription description;  // without the vocabulary, which the codec holds
  DecoderConfig config;
  decoder::Weights weights;
  TextCodec codec;
  uint64_t vocabulary_size = 0;  // tokens that the codec knows
  uint64_t context_length = 0;   // positions that a session may hold
  KvType kv_type = KvType::f32;
};

// What a caller asks of the load of a generator.
struct GeneratorRequest {
  std::optional<Format> format;  // of a single file; absent: its first bytes tell
  GeneratorOptions options;
};

// { format?, quantize?, contextLength?, kvCache? } under the contract's names. INPUT for an option that is unknown or
// outside its meaning.
Result<GeneratorRequest> read_generator_options(std::string_view json);

}  // namespace quintet
