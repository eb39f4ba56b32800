#pragma once
// The head for masked tokens (Devlin et al. 2018, arXiv:1810.04805, section 3.1): from the hidden state of a token to a
// logit for each entry of the vocabulary, by the matrix of the embeddings.

#include <cstddef>

#include "architectures/encoder/config.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "kernels/kernels.h"
#include "models/encoder/weights.h"
#include "models/packed_projection.h"

namespace quintet::encoder {

class MlmHead {
 public:
  MlmHead(const EncoderConfig& config, const Weights& weights, const Kernels& kernels)
      : config_(config), weights_(weights), kernels_(kernels) {}

  // The maximum number of tokens of a call of logits().
  size_t rows() const;
  // Before logits().
  Status reserve();
  // [count][n_vocab] of hidden [count][n_embd], until the next call: W norm(activation(dense(x))) + b. All threads take
  // part.
  Rows logits(const float* hidden, size_t count);
  size_t bytes() const { return (states_.capacity() + logits_.capacity()) * sizeof(float) + scratch_.bytes(); }

 private:
  const EncoderConfig& config_;
  const Weights& weights_;
  const Kernels& kernels_;
  AlignedBuffer<float> states_, logits_;
  ProjectionScratch scratch_;
};

}  // namespace quintet::encoder
