#include "architectures/decoder/folder_names.h"

#include <span>

namespace quintet::decoder {
namespace {

struct Renamed {
  std::string_view folder, ours;
};

// In names within a layer, the number stands between the prefix of layers and the name.
struct Names {
  std::string_view root;    // before all names but those without a root; some files leave it out
  std::string_view layers;  // after the root
  std::span<const Renamed> in_layer;
  std::span<const Renamed> around;  // after the root
  std::span<const Renamed> rootless;
};

constexpr std::string_view kOurLayers = "model.layers.";

constexpr Renamed kInGpt2Layer[] = {{"ln_1", "input_layernorm"},           {"ln_2", "post_attention_layernorm"},
                                    {"attn.c_attn", "self_attn.qkv_proj"}, {"attn.c_proj", "self_attn.o_proj"},
                                    {"mlp.c_fc", "mlp.up_proj"},           {"mlp.c_proj", "mlp.down_proj"}};
constexpr Renamed kAroundGpt2[] = {
    {"wte", "model.embed_tokens"}, {"wpe", "model.embed_positions"}, {"ln_f", "model.norm"}};

constexpr Renamed kInGptNeoxLayer[] = {{"attention.query_key_value", "self_attn.qkv_proj"},
                                       {"attention.dense", "self_attn.o_proj"},
                                       {"mlp.dense_h_to_4h", "mlp.up_proj"},
                                       {"mlp.dense_4h_to_h", "mlp.down_proj"}};
constexpr Renamed kAroundGptNeox[] = {{"embed_in", "model.embed_tokens"}, {"final_layer_norm", "model.norm"}};
constexpr Renamed kOutputOfGptNeox[] = {{"embed_out", "lm_head"}};

constexpr Renamed kInExaoneLayer[] = {{"ln_1", "input_layernorm"},
                                      {"ln_2", "post_attention_layernorm"},
                                      {"attn.attention.q_proj", "self_attn.q_proj"},
                                      {"attn.attention.k_proj", "self_attn.k_proj"},
                                      {"attn.attention.v_proj", "self_attn.v_proj"},
                                      {"attn.attention.out_proj", "self_attn.o_proj"},
                                      {"mlp.c_fc_0", "mlp.gate_proj"},
                                      {"mlp.c_fc_1", "mlp.up_proj"},
                                      {"mlp.c_proj", "mlp.down_proj"}};
constexpr Renamed kAroundExaone[] = {{"wte", "model.embed_tokens"}, {"ln_f", "model.norm"}};

constexpr Renamed kInInternLm2Layer[] = {
    {"attention_norm", "input_layernorm"},    {"ffn_norm", "post_attention_layernorm"},
    {"attention.wqkv", "self_attn.qkv_proj"}, {"attention.wo", "self_attn.o_proj"},
    {"feed_forward.w1", "mlp.gate_proj"},     {"feed_forward.w3", "mlp.up_proj"},
    {"feed_forward.w2", "mlp.down_proj"}};
constexpr Renamed kAroundInternLm2[] = {{"tok_embeddings", "model.embed_tokens"}};
constexpr Renamed kOutputOfInternLm2[] = {{"output", "lm_head"}};

constexpr Renamed kInApertusLayer[] = {{"attention_layernorm", "input_layernorm"},
                                       {"feedforward_layernorm", "post_attention_layernorm"}};

// In the order of FolderNaming.
constexpr Names kNames[] = {
    {},
    {"transformer.", "h.", kInGpt2Layer, kAroundGpt2, {}},
    {"gpt_neox.", "layers.", kInGptNeoxLayer, kAroundGptNeox, kOutputOfGptNeox},
    {"transformer.", "h.", kInExaoneLayer, kAroundExaone, {}},
    {"model.", "layers.", kInInternLm2Layer, kAroundInternLm2, kOutputOfInternLm2},
    {"model.", "layers.", kInApertusLayer, {}, {}},
};

// Removes a module's name from the front: before a "." or the end.
bool take_module(std::string_view& name, std::string_view module) {
  const bool is_it = name.starts_with(module) && (name.size() == module.size() || name[module.size()] == '.');
  if (is_it) name.remove_prefix(module.size());
  return is_it;
}

using Side = std::string_view Renamed::*;

// Replaces the module at the front by its other name; false if it is not in the list.
bool rename(std::span<const Renamed> list, Side from, Side to, std::string_view name, std::string& renamed) {
  for (const Renamed& row : list) {
    std::string_view rest = name;
    if (!take_module(rest, row.*from)) continue;
    renamed += std::string(row.*to).append(rest);
    return true;
  }
  return false;
}

// The length of "N." at the front of a name in a layer; 0 if it has no number.
size_t number_length(std::string_view name) {
  const size_t digits = name.find_first_not_of("0123456789");
  return digits == 0 || digits == std::string_view::npos || name[digits] != '.' ? 0 : digits + 1;
}

// `layers` without the number stands before it in both.
bool rename_in_layer(const Names& names, Side from, Side to, std::string_view name, std::string& renamed) {
  const size_t number = number_length(name);
  if (number == 0) return false;
  renamed += name.substr(0, number);
  name.remove_prefix(number);
  if (!rename(names.in_layer, from, to, name, renamed)) renamed += name;
  return true;
}

}  // namespace

std::string name_from_folder(FolderNaming naming, std::string_view name) {
  if (naming == FolderNaming::llama) return std::string(name);
  const Names& names = kNames[static_cast<size_t>(naming)];
  std::string renamed;
  if (rename(names.rootless, &Renamed::folder, &Renamed::ours, name, renamed)) return renamed;
  std::string_view rest = name;
  if (rest.starts_with(names.root)) rest.remove_prefix(names.root.size());
  if (rest.starts_with(names.layers)) {
    renamed = kOurLayers;
    rest.remove_prefix(names.layers.size());
    if (rename_in_layer(names, &Renamed::folder, &Renamed::ours, rest, renamed)) return renamed;
  } else if (rename(names.around, &Renamed::folder, &Renamed::ours, rest, renamed)) {
    return renamed;
  }
  return std::string(name);
}

std::string name_in_folder(FolderNaming naming, std::string_view name) {
  if (naming == FolderNaming::llama) return std::string(name);
  const Names& names = kNames[static_cast<size_t>(naming)];
  std::string renamed;
  if (rename(names.rootless, &Renamed::ours, &Renamed::folder, name, renamed)) return renamed;
  renamed = names.root;
  if (rename(names.around, &Renamed::ours, &Renamed::folder, name, renamed)) return renamed;
  if (!name.starts_with(kOurLayers)) return std::string(name);
  renamed += names.layers;
  rename_in_layer(names, &Renamed::ours, &Renamed::folder, name.substr(kOurLayers.size()), renamed);
  return renamed;
}

}  // namespace quintet::decoder
