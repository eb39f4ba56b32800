#pragma once
// The families of decoders that are computed here: what a file of one means without saying it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "architectures/decoder/config.h"

namespace quintet::decoder {

// How a block is built. `gated` and `fused`: x += attention(norm(x)), x += mlp(norm(x)), where the MLP is
// down(act(gate x) * up x) with gate and up as two matrices or as one. `plain`, Phi-2's: the MLP is down(act(up x)),
// attention and MLP read one norm, and both are added to x. `post_norm`: gated, with the norms behind the branches,
// x += norm(attention(x)), x += norm(mlp(x)).
enum class BlockForm : uint8_t { gated, fused, plain, post_norm };

// Whether config.json's `sliding_window` counts: never, always, or where `use_sliding_window` is true.
enum class WindowRule : uint8_t { none, always, if_used };

struct Family {
  std::string_view model_type;  // Hugging Face's, also AMB's `architecture`
  std::string_view gguf = {};   // general.architecture, and what the keys begin with; empty: it has none of its own

  // What the network is.
  Activation activation = Activation::silu;
  BlockForm form = BlockForm::gated;
  QkNorm qk_norm = QkNorm::none;
  bool has_layer_norm = false;  // else RMSNorm
  bool has_qkv_bias = false;    // on queries, keys and values, always
  // llama.cpp's converter interleaves the two halves of each head's rows in queries and keys (layer_parts.h).
  bool interleaved = false;

  // What transformers' configuration class has where config.json is silent.
  uint64_t max_seq_len = 2048;
  uint64_t head_dim = 0;  // 0: n_embd / n_heads
  WindowRule window = WindowRule::none;
  uint64_t sliding_window = 0;
  double rotated_part = 1;  // of a head
  double norm_eps = 1e-6;
};

// Null where there is none of that name.
const Family* family_of_model_type(std::string_view model_type);
const Family* family_of_gguf(std::string_view architecture);

// "llama, mistral, ...", for messages.
std::string supported_model_types();
std::string supported_gguf_architectures();

std::span<const Family> families();

}  // namespace quintet::decoder
