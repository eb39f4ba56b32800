#pragma once
// The supported families of decoders, and the facts that a file of each implies without stating them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "architectures/decoder/config.h"
#include "architectures/decoder/folder_names.h"
#include "architectures/transformer/traits.h"
#include "formats/known_fields.h"

namespace quintet::decoder {

// Names of a family's tensors (tensor_names.h).
enum class Naming : uint8_t {
  llama,
  phi3,
  phi2,
  olmo2,
  gemma2,
  lfm2,
  moe,
  granite_moe,
  granite_hybrid,
  hunyuan,
  seed_oss,
  starcoder2,
  glm4,
  falcon_h1,
  mamba,
  qwen35,
  gemma3n
};

// Whether a file's tensor names have their meaning only in this family, so that they cannot identify it.
constexpr bool needs_family(Naming naming) {
  return naming != Naming::llama && naming != Naming::phi3 && naming != Naming::phi2;
}

// Whether `sliding_window` of config.json is used: never, always, or if `use_sliding_window` is true. `layer_types`
// can except layers.
enum class WindowRule : uint8_t { none, always, if_used };

// The layers with Mamba-2, in config.json and GGUF: all; those that are marked; or those of a pattern in which each
// layer is a mixer or an MLP.
enum class MambaLayers : uint8_t { none, all, listed, pattern };

// config.json's keys of the sizes of Mamba-2. The channels are those of all heads or, without the size of a head, the
// width times `expand`.
struct MambaKeys {
  std::string_view heads = "mamba_n_heads", head_dim = "mamba_d_head", groups = "mamba_n_groups",
                   state = "mamba_d_state", kernel = "mamba_d_conv", expand = "mamba_expand";
};

struct Family {
  std::string_view title;       // what people call it
  std::string_view model_type;  // Hugging Face's, also AMB's `architecture`
  std::string_view gguf = {};   // general.architecture and the prefix of the keys; empty: none
  bool has_folder = true;       // else Hugging Face folders are not supported

  Naming naming = Naming::llama;
  FolderNaming folder_naming = FolderNaming::llama;

  // The computation, common to files of all formats.
  TransformerTraits traits = {};
  bool has_qkv_bias = false;  // always on queries, keys and values
  // llama.cpp's converter interleaves the two halves of each head's rows in queries and keys (tensor_names.h).
  bool has_permuted_qk = false;
  bool has_permuted_folder = false;    // so are those of Hugging Face folders
  bool has_grouped_qkv = false;        // queries, keys and values of a folder are grouped by heads (TensorOrder)
  bool has_transposed_folder = false;  // matrices of layers in Hugging Face folders have columns in place of rows
  bool has_convolutions = false;       // in place of attention in some layers
  MambaLayers mamba_layers = MambaLayers::none;
  bool has_delta_net = false;  // in place of attention, in all layers but every n-th
  bool has_attention = true;
  bool has_experts = false;               // in place of the MLP, in some layers or all
  bool has_scaled_embeddings = false;     // by sqrt(n_embd)
  bool has_yarn = false;                  // config.json must have its parameters
  bool has_rope_in_windows_only = false;  // with a window, layers that attend globally have no RoPE
  bool has_unscaled_windows = false;      // layers with a window rotate by unscaled positions
  bool has_rope_alpha = false;            // config.json's base of RoPE is multiplied by a power of alpha
  bool has_logit_factor = false;          // logits are multiplied by the scale, not divided
  bool has_branch_multipliers = false;    // config.json has Falcon-H1's
  bool has_multipliers = false;           // config.json may have those of embeddings, branches, attention and logits
  bool has_softcaps = false;              // config.json may have those of attention and logits
  // Layers without a window have other heads, and files state which layers share keys and values.
  bool has_layer_kinds = false;
  bool has_depth_scales = false;          // MiniCPM's: of embeddings, by the number of layers, and by a smaller width
  uint64_t full_attention_interval = 0;   // every n-th layer attends globally; 0: none does
  bool has_full_attention_first = false;  // the first of these layers attends globally, not the last
  uint64_t no_rope_interval = 0;          // every n-th layer has no RoPE; 0: all have it
  // Gemma's 27B, recognized by its layers, scales q . k by 1 / sqrt(n_embd / n_heads); 0: there is none.
  uint64_t layers_of_27b = 0;

  // Defaults of transformers' configuration class, for fields that config.json leaves out.
  std::span<const transformer::TraitKey> keys = {};
  std::string_view activation_key = "hidden_act";
  std::string_view norm_eps_key = "rms_norm_eps";
  bool tie_embeddings = false;
  uint64_t max_seq_len = 2048;
  uint64_t head_dim = 0;  // 0: n_embd / n_heads
  uint64_t local_head_dim = 0, layer_input_width = 0;
  std::string_view n_ff_key = "intermediate_size";
  std::string_view n_experts_key = "num_experts", shared_ff_key = "shared_expert_intermediate_size";
  MambaKeys mamba_keys = {};
  WindowRule window = WindowRule::none;
  uint64_t sliding_window = 0;
  std::string_view rotated_part_key = "partial_rotary_factor";
  double rotated_part = 1;  // of a head
  double norm_eps = 1e-6;
  double rope_freq_base = 10000;
  double query_pre_attn_scalar = 0;  // q . k is divided by its square root; 0: by that of head_dim
  std::string_view attention_type = R"("full_attention")";  // of a layer without a window, in `layer_types`
  std::span<const FixedField> fixed = {};                   // the only values that are supported
  // Fields of config.json that nothing is computed from, in the form that is_listed() expects.
  std::string_view without_influence = {};
};

// Null if there is none with that name.
const Family* family_of_model_type(std::string_view model_type);
const Family* family_of_gguf(std::string_view architecture);

// For files that name the architecture, and leave out the facts that follow from it: how blocks are built, and the
// norms of queries and keys. Unchanged for an architecture that is not in the table.
void apply_architecture(DecoderConfig& config);

// Sets the rotation of layers with and without a window, where they differ: facts of the family.
void infer_rope_by_window(const Family& family, DecoderConfig& config);

// "llama, mistral, ...", for messages.
std::string supported_model_types();
std::string supported_gguf_architectures();

// The tables. A family of mixtures of experts, with layers that have a state, or with streams is in the second one.
std::span<const Family> dense_families();
std::span<const Family> mixed_families();

}  // namespace quintet::decoder
