#pragma once
// What a conversion starts from: one model, in one file or in several.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/layer_parts.h"
#include "architectures/encoder/config.h"
#include "formats/model_description.h"

namespace quintet {

// A tensor of the source, and the file that holds it.
struct SourceTensor {
  TensorInfo info;
  uint32_t file = 0;               // in the order in which the files were begun
  uint32_t interleaved_heads = 0;  // whose rows go back into Hugging Face's order (decoder::TensorNames)
};

// What kind of model it is, which decides the formats that it fits into.
enum class Family : uint8_t {
  embedder,  // encoders
  decoder,   // Llama, Mistral, Phi
  network,   // ResNets
  tensors,   // safetensors of anything else, a KV cache for instance
};
std::string_view name_of(Family family);

// Names of a checkpoint may need rewriting; what a format of ours holds is as the reader gives it.
enum class Origin : uint8_t { file, hugging_face, checkpoint };

struct SourceModel {
  ModelDescription description;  // its tensors are in `tensors`
  std::vector<SourceTensor> tensors;
  std::optional<EncoderConfig> encoder = {};  // of a Hugging Face folder
  Family family = Family::tensors;
  Origin origin = Origin::file;
  std::optional<Result<DecoderConfig>> decoder_config;  // of a decoder; an error where it cannot be computed

  // The name of a tensor in the output.
  std::string output_name(const TensorInfo& info) const {
    return decoder::TensorNames(description).huggingface_name(info.name);
  }
};

}  // namespace quintet
