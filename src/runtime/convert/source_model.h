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

// A range of one of the source's files.
struct Range {
  uint32_t file = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// The ranges that together are a tensor's payload; none where it is empty.
inline std::vector<Range> payload_ranges(const TensorInfo& info, uint32_t file) {
  std::vector<Range> ranges;
  if (info.scales_bytes != 0) ranges.push_back({file, info.scales_offset, info.scales_bytes});
  if (info.bytes != 0) ranges.push_back({file, info.offset, info.bytes});
  return ranges;
}

// The tensors of a source, where it is a .weights file with each int8 matrix and its scales as one
// tensor (Scheme::group_int8).
std::vector<SourceTensor> with_joined_scales(const SourceModel& source);

}  // namespace quintet
