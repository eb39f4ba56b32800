#pragma once
// The sizes of the encoder that a .weights file's metadata must tell, and their agreement with its tensors.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"
#include "formats/weights/metadata_section.h"

namespace quintet::weights {

// The tensors that show the sizes (docs/formats/weights.md, "Tensor index").
constexpr std::string_view kWordEmbeddings = "embeddings.word_embeddings.weight";
constexpr std::string_view kPositionEmbeddings = "embeddings.position_embeddings.weight";
constexpr std::string_view kFirstIntermediate = "encoder.layer.0.intermediate.dense.weight";
constexpr std::string_view kLayerPrefix = "encoder.layer.";

// The layer that a tensor belongs to, from "encoder.layer.N.…".
std::optional<uint32_t> layer_of(std::string_view name);

struct EncoderSizes {
  uint32_t embedding_dim = 0;
  uint32_t vocab_size = 0;
  uint32_t num_layers = 0;
  uint32_t num_attention_heads = 0;
  uint32_t hidden_size = 0;
  uint32_t intermediate_size = 0;
  uint32_t max_position_emb = 0;
};

// Every required key is there, the numbers are positive and fit each other.
Result<EncoderSizes> read_encoder_sizes(const Metadata& metadata, uint64_t metadata_offset);

// The tensors that show a size show the one that the metadata tells. Tensors that are missing are for the model to
// miss.
Status check_encoder_sizes(const EncoderSizes& sizes, const Metadata& metadata, const Header& header,
                           const StringTable& tokens, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::weights
