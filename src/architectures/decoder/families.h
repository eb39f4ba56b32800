#pragma once
// The supported families of decoders, and what a file of each implies without saying it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "architectures/decoder/config.h"

namespace quintet::decoder {

// How a block is built. `gated` and `fused`: x += attention(norm(x)), x += mlp(norm(x)), where the MLP is down(act(gate
// x) * up x) with gate and up as two matrices or as one. `plain`, as in Phi-2: the MLP is down(act(up x)), attention
// and MLP share one norm, and both are added to x. `post_norm`: gated, with the norms after the branches, x +=
// norm(attention(x)), x += norm(mlp(x)).
enum class BlockForm : uint8_t { gated, fused, plain, post_norm };

// Whether `sliding_window` of config.json is used: never, always, or if `use_sliding_window` is true.
enum class WindowRule : uint8_t { none, always, if_used };

struct Family {
  std::string_view model_type;  // Hugging Face's, also AMB's `architecture`
  std::string_view gguf = {};   // general.architecture and the prefix of the keys; empty: none

  // The structure of the network.
  Activation activation = Activation::silu;
  BlockForm form = BlockForm::gated;
  QkNorm qk_norm = QkNorm::none;
  bool has_layer_norm = false;  // else RMSNorm
  bool has_qkv_bias = false;    // always on queries, keys and values
  // llama.cpp's converter interleaves the two halves of each head's rows in queries and keys (layer_parts.h).
  bool interleaved = false;

  // Defaults of transformers' configuration class, for fields that config.json leaves out.
  uint64_t max_seq_len = 2048;
  uint64_t head_dim = 0;  // 0: n_embd / n_heads
  WindowRule window = WindowRule::none;
  uint64_t sliding_window = 0;
  double rotated_part = 1;  // of a head
  double norm_eps = 1e-6;
};

// Null if there is none with that name.
const Family* family_of_model_type(std::string_view model_type);
const Family* family_of_gguf(std::string_view architecture);

// "llama, mistral, ...", for messages.
std::string supported_model_types();
std::string supported_gguf_architectures();

std::span<const Family> families();

}  // namespace quintet::decoder
