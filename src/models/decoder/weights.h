#pragma once
// The weights of a decoder, module by module, under the names of architectures/decoder/layer_parts.h. The parts of a
// layer determine what is computed. Loading has checked that all are present with the shapes of the configuration; the
// forward pass relies on that.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "architectures/decoder/layer_parts.h"
#include "base/aligned_buffer.h"
#include "models/module.h"

namespace quintet::decoder {

// A norm with a bias is a LayerNorm, one without an RMSNorm.
using Module = BasicModule<WeightMatrix>;

// The matrices of one expert, by part.
using Expert = std::array<Module, kExpertParts>;

class Layer {
 public:
  // An empty module if the layer does not have the part.
  const Module& operator[](Part part) const;
  // Makes the module if there is none. References to it stay valid.
  Module& operator[](Part part);
  bool has(Part part) const { return (*this)[part].exists(); }

  // By number.
  const std::map<uint32_t, Expert>& experts() const { return experts_; }
  Module& expert(uint32_t number, Part part) { return experts_[number][expert_index(part)]; }

  // Calls `visit` for each module, those of experts included.
  template <class Visit>
  void for_each_module(const Visit& visit) const {
    for (const std::unique_ptr<Module>& module : modules_) {
      if (module) visit(*module);
    }
    for (const auto& [number, expert] : experts_) {
      for (const Module& module : expert) visit(module);
    }
  }

 private:
  std::array<std::unique_ptr<Module>, kLayerParts> modules_;  // null: the layer does not have the part
  std::map<uint32_t, Expert> experts_;
};

struct Weights {
  Module embeddings;           // [n_vocab][n_embd]
  Module position_embeddings;  // [max_seq_len][n_embd] of learned positions, or empty
  std::vector<Layer> layers;
  // The inputs of all layers for a token: a table [n_vocab][n_layers * width], and the projection of the embedding
  // [n_layers * width][n_embd].
  Module layer_embeddings, layer_embeddings_projection, layer_embeddings_norm;
  Module final_norm;
  Module output;  // [n_vocab][n_embd]; absent if it is tied: the embeddings are used
  // [rope_dim / 2], divisors of the frequencies of RoPE, or empty.
  AlignedBuffer<float> rope_freq_factors;
  AlignedBuffer<float> rope_long_factors, rope_short_factors;
  std::vector<Xielu> xielu;  // the parameters of each layer, in models with this activation

  // Makes one of longrope's lists the rope_freq_factors.
  Status choose_rope_factors(const LongRope& rope);

  // Adds `offset` to the weights of all norms but those inside of mixers with a state.
  void add_to_norms(float offset);
  // For layers with Mamba-2: makes A of its logarithm, if that is stored, and multiplies the kernels of the convolution
  // by the scales of its inputs.
  void prepare_mamba(const DecoderConfig& config);
  // Makes A of each gated DeltaNet of its logarithm.
  void prepare_delta_nets();
  // Takes the parameters of xIELU from the configuration or, where it has none, from the tensors.
  void set_xielu(const std::vector<Xielu>& of_config);
  // Gives a bias of zeros to each norm of the residual stream that has none.
  Status complete_norms();

  size_t bytes() const;  // memory in use
  // Whether the scales of all block-quantized matrices are finite, which is required for computing
  // (BlockMatrix::is_finite).
  bool have_finite_scales() const;
};

}  // namespace quintet::decoder
