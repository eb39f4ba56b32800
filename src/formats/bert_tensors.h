#pragma once
// The tensors that a BERT encoder needs, with their shapes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"

namespace quintet {

struct BertShape {
  uint64_t vocab_size = 0;
  uint64_t hidden = 0;
  uint64_t layers = 0;
  uint64_t intermediate = 0;
  uint64_t positions = 0;
};

// Every tensor that the encoder needs is among `tensors`, with the shape that it needs.
Status check_bert_tensors(const BertShape& shape, const std::vector<TensorInfo>& tensors);

// Whether the tensor is one of the matrices that an embedder is quantized in: the word embeddings and the weights of
// the linear layers.
bool is_bert_matrix(const TensorInfo& info);

}  // namespace quintet
