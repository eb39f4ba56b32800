#pragma once
// The source of a conversion: one model, in one or several files.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "architectures/encoder/config.h"
#include "formats/huggingface/packed_weight.h"
#include "formats/model_description.h"
#include "formats/sentence_config.h"

namespace quintet {

// The tensors of a quantized matrix of a Hugging Face checkpoint.
struct PackedParts {
  struct Part {
    TensorInfo info;
    uint32_t file = 0;
    huggingface::WeightPart part = {};
  };
  huggingface::WeightPacking packing;
  std::vector<Part> parts;
};

// A tensor of the source, and its file.
struct SourceTensor {
  TensorInfo info;
  uint32_t file = 0;                       // numbered in the order of reading
  transformer::TensorOrder order = {};     // of a decoder's rows
  std::optional<PackedParts> packed = {};  // of which `info` is made, and which the source has instead
};

// The kind of model, which determines the formats that can store it.
enum class Family : uint8_t {
  embedder,  // encoders
  decoder,   // Llama, Mistral, Phi
  network,   // the image networks that tinyRuntime has
  image,     // others, of Hugging Face and timm
  tensors,   // any other safetensors, for example a KV cache
};
std::string_view name_of(Family family);

// Tensor names of a checkpoint may need rewriting; those of our own formats stay as the reader returns them.
enum class Origin : uint8_t { file, hugging_face, checkpoint };

struct SourceModel {
  ModelDescription description;  // its tensors are in `tensors`
  std::vector<SourceTensor> tensors;
  std::optional<EncoderConfig> encoder = {};  // of a Hugging Face folder
  SentenceConfig sentence = {};               // likewise
  Status head = {};                           // likewise: an error if it has a head for classification
  Family family = Family::tensors;
  Origin origin = Origin::file;
  std::optional<Result<DecoderConfig>> decoder_config;  // of a decoder; an error if it cannot be computed

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

// The ranges of a tensor's payload, or of the parts of a matrix; empty if it has no data.
inline std::vector<Range> ranges_of(const SourceTensor& tensor) {
  std::vector<Range> ranges;
  const auto add = [&ranges](uint32_t file, uint64_t offset, uint64_t bytes) {
    if (bytes != 0) ranges.push_back({file, offset, bytes});
  };
  if (tensor.packed) {
    for (const auto& [info, file, part] : tensor.packed->parts) add(file, info.offset, info.bytes);
    return ranges;
  }
  add(tensor.file, tensor.info.scales_offset, tensor.info.scales_bytes);
  add(tensor.file, tensor.info.offset, tensor.info.bytes);
  return ranges;
}

// The tensors of a source; in a .weights file with each int8 matrix and its scales as one tensor (Scheme::group_int8).
std::vector<SourceTensor> with_joined_scales(const SourceModel& source);

}  // namespace quintet
