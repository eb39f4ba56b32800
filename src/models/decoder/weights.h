#pragma once
// The weights of a decoder, module by module, under the names of architectures/transformer/tensor_schema.h. The
// modules of a layer determine what is computed. Loading has checked that all are present with the shapes of the
// configuration; the forward pass relies on that.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "architectures/decoder/tensor_names.h"
#include "base/aligned_buffer.h"
#include "models/module.h"
#include "models/transformer/modules.h"

namespace quintet::decoder {

// A norm with a bias is a LayerNorm, one without an RMSNorm.
using Module = BasicModule<WeightMatrix>;

// The matrices from the embedding to each stream of AltUp but the first, and those back.
inline constexpr std::array kAltUpMatrices = {TensorKind::altup_projection_1,  TensorKind::altup_projection_2,
                                              TensorKind::altup_projection_3,  TensorKind::altup_unembedding_1,
                                              TensorKind::altup_unembedding_2, TensorKind::altup_unembedding_3};

using Layer = LayerModules<Module>;

struct Weights {
  // The weights outside of the layers. Without `output` the embeddings are used for it: they are tied. Position
  // embeddings are a vector [max_seq_len][n_embd], the factors of RoPE, divisors of its frequencies, vectors [rope_dim
  // / 2].
  Modules<Module> shared;
  std::vector<Layer> layers;
  std::vector<Xielu> xielu;  // the parameters of each layer, in models with this activation

  const Module& output() const {
    return shared[shared.has(TensorKind::output) ? TensorKind::output : TensorKind::embeddings];
  }
  std::span<const float> rope_freq_factors() const { return shared[TensorKind::rope_freq_factors].vector.span(); }

  // Makes one of longrope's lists the factors of RoPE.
  Status choose_rope_factors(const LongRope& rope);

  // For layers with Mamba-2: makes A of its logarithm, if that is stored, and multiplies the kernels of the convolution
  // by the scales of its inputs.
  void prepare_mamba(const DecoderConfig& config);
  // Makes A of each gated DeltaNet of its logarithm.
  void prepare_delta_nets();
  // Reads the parameters of xIELU from the configuration or, where it has none, from the tensors.
  void set_xielu(const std::vector<Xielu>& of_config);

  size_t bytes() const;  // memory in use
  // Whether the scales of all block-quantized matrices are finite, which is required for computing
  // (BlockMatrix::is_finite).
  bool have_finite_scales() const;
};

}  // namespace quintet::decoder
