#pragma once
// The parts of a BERT-like encoder: its tensors, their names and their shapes.

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
  std::string_view name;  // of the module in Hugging Face's BertModel and in .weights; in a layer: after its number
  bool in_layer;
  // The shape of the weight. Norms are vectors, with null `columns`. Null `rows`: any number.
  size_t EncoderConfig::*rows, EncoderConfig::*columns;
  bool bias;       // whether it has one, of `rows` values
  bool quantized;  // whether it is quantized when the model is (docs/formats/weights.md, "Int8 (extension)")
  bool used;       // unused tensors may be missing
};

// A tensor of an encoder, parsed from its name.
struct EncoderTensor {
  EncoderPart part;
  bool bias;       // else the weight
  uint32_t layer;  // 0 for parts outside of the layers
};

// More layers than any encoder has, so that a wrong name does not cost memory.
inline constexpr uint32_t kMaxEncoderLayers = 512;

// Nothing if no part has such a tensor.
std::optional<EncoderTensor> find_encoder_tensor(std::string_view name);
bool is_quantized(EncoderTensor tensor);

// Checks that every tensor that the encoder needs is among `tensors`, with the shape that the configuration requires,
// and that there are no more layers. `key` is the dialect's column of kEncoderKeys, for the error.
Status check_encoder_tensors(const EncoderConfig& config, const std::vector<TensorInfo>& tensors,
                             std::string_view EncoderKey::* key);

}  // namespace quintet
