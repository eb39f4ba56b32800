#include "formats/gguf/names.h"

#include <algorithm>
#include <span>

namespace quintet::gguf {
namespace {

struct Renaming {
  std::string_view from, to;
};

// Behind "blk.N." and "model.layers.N.", ahead of ".weight" or ".bias".
constexpr Renaming kLlamaBlock[] = {
    {"attn_norm", "input_layernorm"}, {"attn_q", "self_attn.q_proj"},      {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},   {"attn_output", "self_attn.o_proj"}, {"ffn_norm", "post_attention_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},    {"ffn_up", "mlp.up_proj"},           {"ffn_down", "mlp.down_proj"},
};
constexpr Renaming kPhi3Block[] = {
    {"attn_norm", "input_layernorm"},         {"attn_qkv", "self_attn.qkv_proj"}, {"attn_output", "self_attn.o_proj"},
    {"ffn_norm", "post_attention_layernorm"}, {"ffn_up", "mlp.gate_up_proj"},     {"ffn_down", "mlp.down_proj"},
};
constexpr Renaming kPhi2Block[] = {
    {"attn_norm", "input_layernorm"},
    {"attn_qkv", "self_attn.qkv_proj"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_output", "self_attn.dense"},
    {"ffn_up", "mlp.fc1"},
    {"ffn_down", "mlp.fc2"},
};

constexpr Renaming kAroundBlocks[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};
constexpr Renaming kAroundPhi2Blocks[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.final_layernorm"}, {"output", "lm_head"}};

struct Names {
  std::string_view architecture;
  std::span<const Renaming> block, around;
};

constexpr Names kArchitectures[] = {
    {"llama", kLlamaBlock, kAroundBlocks},
    {"phi2", kPhi2Block, kAroundPhi2Blocks},
    {"phi3", kPhi3Block, kAroundBlocks},
};

// Empty where there is none.
std::string_view renamed(std::span<const Renaming> names, std::string_view from) {
  const auto found = std::ranges::find(names, from, &Renaming::from);
  return found == names.end() ? std::string_view() : found->to;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Both without ".weight"; empty where it keeps its name.
std::string huggingface_stem(const Names& names, std::string_view stem) {
  constexpr std::string_view kBlock = "blk.";
  if (!stem.starts_with(kBlock)) return std::string(renamed(names.around, stem));
  stem.remove_prefix(kBlock.size());
  const size_t dot = stem.find('.');
  if (dot == std::string_view::npos || !is_number(stem.substr(0, dot))) return {};
  const std::string_view to = renamed(names.block, stem.substr(dot + 1));
  if (to.empty()) return {};
  return "model.layers." + std::string(stem.substr(0, dot + 1)) + std::string(to);
}

}  // namespace

std::string huggingface_name(std::string_view architecture, std::string_view name) {
  const auto* names = std::ranges::find(kArchitectures, architecture, &Names::architecture);
  const size_t dot = name.rfind('.');
  if (names == std::end(kArchitectures) || dot == std::string_view::npos) return std::string(name);
  const std::string_view suffix = name.substr(dot);
  if (suffix != ".weight" && suffix != ".bias") return std::string(name);
  const std::string stem = huggingface_stem(*names, name.substr(0, dot));
  return stem.empty() ? std::string(name) : stem + std::string(suffix);
}

}  // namespace quintet::gguf
