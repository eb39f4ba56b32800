#pragma once
// The parts of a BERT-like encoder: which tensors it has, what they are called, and which shapes they have.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "architectures/encoder/config.h"

namespace quintet {

enum class EncoderPart : uint8_t {
  word_embeddings,
  position_embeddings,
  token_type_embeddings,
  embeddings_norm,
  query,
  key,
  value,
  attention_output,
  attention_norm,
  intermediate,
  output,
  output_norm,
  pooler,
};

struct EncoderPartRow {
  EncoderPart part;
  std::string_view name;  // of the module in Hugging Face's BertModel and in .weights; of a layer's: behind its number
  bool in_layer;
  // The shape of the weight; a norm's is a vector: `columns` is null. Null `rows`: any number.
  size_t EncoderConfig::*rows, EncoderConfig::*columns;
  bool bias;       // whether it has one, of `rows` values
  bool quantized;  // whether quantizing the model quantizes it (docs/formats/weights.md, "Int8 (extension)")
  bool used;       // what is not used may be missing
};

// A tensor of an encoder, from its name.
struct EncoderTensor {
  EncoderPart part;
  bool bias;       // else the weight
  uint32_t layer;  // 0 for parts outside of the layers
};

// More layers than any encoder has: keeps a wrong name from costing memory.
inline constexpr uint32_t kMaxEncoderLayers = 512;

// Nothing for a tensor that no part has.
std::optional<EncoderTensor> find_encoder_tensor(std::string_view name);
bool is_quantized(EncoderTensor tensor);

// Every tensor that the encoder needs is among `tensors`, in the shape that the configuration gives it, and there are
// no more layers. `key` is the dialect's column of kEncoderKeys, for the error.
Status check_encoder_tensors(const EncoderConfig& config, const std::vector<TensorInfo>& tensors,
                             std::string_view EncoderKey::* key);

}  // namespace quintet
