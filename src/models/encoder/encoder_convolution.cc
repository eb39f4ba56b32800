// The gated short convolution of LFM2 (arXiv:2511.23404, section 2.2).

#include <algorithm>

#include "models/encoder/encoder.h"

namespace quintet::encoder {

// C * conv(B * v) for the rows of a block, where B, C and v are W_in h of all tokens. A causal network sees tokens
// before; in a bidirectional one the kernel is centered (transformers, modular_lfm2_bidirectional.py).
void Encoder::convolve(const Module& kernels, const Block& block) {
  const auto length = static_cast<size_t>(config_.convolution_length);
  const size_t before = config_.is_causal ? length - 1 : length / 2;
  const ConstRows gated = {qkv_.data(), 3 * embd_};
  for (size_t token = block.begin; token < block.begin + block.rows; ++token) {
    float* const y = context_.data() + token * embd_;
    std::fill_n(y, embd_, 0.0F);
    for (size_t i = 0; i < length; ++i) {
      // Both wrap around before the first token; in another sequence the positions do not fit.
      const size_t seen = token + i - before;
      if (seen >= tokens_ || positions_[seen] != positions_[token] + i - before) continue;
      const float* const b = gated.row(seen);
      const float* const v = b + 2 * embd_;
      for (size_t c = 0; c < embd_; ++c) y[c] += kernels.vector.data()[c * length + i] * b[c] * v[c];
    }
    const float* const gate = gated.row(token) + embd_;
    for (size_t c = 0; c < embd_; ++c) y[c] *= gate[c];
  }
}

}  // namespace quintet::encoder
