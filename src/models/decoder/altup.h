#pragma once
// Alternating updates (Baykal et al. 2023, arXiv:2301.13310, section 3) in the form of Gemma 3n (transformers,
// modeling_gemma3n.py): a token has several streams X_i, of which a layer computes only the first. The others are
// predicted, and corrected by what the layer made of the first. The weights of both are chosen by a router:
//
//   P_i = X_i + sum_j c_ij X_j,  c = W_prediction router(X_0)
//   X_i = P_i + (1 + k_i) (y - P_0),  k = W_correction router(y),  y = layer(P_0)
//   router(x) = tanh(W_router norm(x) / width)

#include <array>
#include <cstddef>
#include <span>

#include "architectures/decoder/config.h"
#include "kernels/kernels.h"

namespace quintet::decoder {

// AltUp of one layer. Streams are those of one token, one after another.
struct AltUp {
  // One of these.
  using Update = void (AltUp::*)(float* x, float* streams) const;
  // Replaces the streams by their predictions. x becomes the first, the input of the layer.
  void predict(float* x, float* streams) const;
  // Corrects the streams by x, which the layer made of the first. x becomes the first, scaled for the layer's
  // embedding.
  void correct(float* x, float* streams) const;

  const float* router_norm;  // [width]
  const float* router;       // [streams][width]
  const float* prediction;   // [streams][streams][streams]
  const float* correction;   // [streams][streams]
  const float* scale;        // [width]
  size_t width;
  float epsilon;
  SoftCap* soft_cap;

 private:
  std::array<float, kAltUpStreams> routes(const float* x) const;
};

// y = the row, scaled to the magnitude of another.
void match_magnitude(std::span<const float> like, const float* row, float* y);

void mean_of_streams(std::span<float> x, const float* streams);

// Sparse gates (You et al. 2025, arXiv:2506.06644, section 3): those less than `deviations` standard deviations above
// the mean become 0, and this bound is subtracted from the others.
void keep_largest(std::span<float> gates, double deviations);

}  // namespace quintet::decoder
