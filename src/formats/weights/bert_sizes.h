#pragma once
// The sizes of the encoder that a .weights file's metadata must tell, and their agreement with its tensors.

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "formats/weights/header.h"
#include "formats/weights/metadata_section.h"

namespace quintet::weights {

struct BertSizes {
  uint32_t embedding_dim = 0;
  uint32_t vocab_size = 0;
  uint32_t num_layers = 0;
  uint32_t num_attention_heads = 0;
  uint32_t hidden_size = 0;
  uint32_t intermediate_size = 0;
  uint32_t max_position_emb = 0;
};

// Every required key is there, the numbers are positive and fit each other.
Result<BertSizes> read_bert_sizes(const Metadata& metadata, uint64_t metadata_offset);

// The tensors that show a size show the one that the metadata tells. Tensors that are missing are for the model to
// miss.
Status check_bert_sizes(const BertSizes& sizes, const Metadata& metadata, const Header& header,
                        const StringTable& tokens, const std::vector<TensorInfo>& tensors);

}  // namespace quintet::weights
