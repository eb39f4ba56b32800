#pragma once
// The sizes of the encoder that the metadata of a .weights file must contain, and checks against its tensors.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/embd/header.h"
#include "formats/embd/metadata_section.h"
#include "formats/model_description.h"

namespace quintet::embd {

// The tensors whose shapes show the sizes (docs/formats/weights.md, "Tensor index").
constexpr std::string_view kWordEmbeddings = "embeddings.word_embeddings.weight";
constexpr std::string_view kPositionEmbeddings = "embeddings.position_embeddings.weight";
constexpr std::string_view kFirstIntermediate = "encoder.layer.0.intermediate.dense.weight";
constexpr std::string_view kLayerPrefix = "encoder.layer.";

// The layer of a tensor, from "encoder.layer.N.…".
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

// Checks that every required key exists, and that the numbers are positive and consistent.
Result<EncoderSizes> read_encoder_sizes(const Metadata& metadata, uint64_t metadata_offset);

// Checks the metadata against the shapes of the tensors. Missing tensors are detected later by the model.
Status check_encoder_sizes(const EncoderSizes& sizes, const Metadata& metadata, const Header& header,
                           const StringTable& tokens, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::embd
