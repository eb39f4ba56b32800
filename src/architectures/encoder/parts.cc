#include "architectures/encoder/parts.h"

#include <algorithm>
#include <charconv>

namespace quintet::encoder {
namespace {

constexpr uint16_t bit(Naming naming) { return static_cast<uint16_t>(1U << static_cast<unsigned>(naming)); }
constexpr uint16_t kBertOnly = bit(Naming::bert), kRoberta = bit(Naming::roberta), kElectra = bit(Naming::electra);
constexpr uint16_t kBert = kBertOnly | kRoberta | kElectra;
constexpr uint16_t kMpnet = bit(Naming::mpnet), kDistil = bit(Naming::distilbert);
constexpr uint16_t kNomicOnly = bit(Naming::nomic), kJinaV3 = bit(Naming::jina_v3), kNomic = kNomicOnly | kJinaV3;
constexpr uint16_t kModern = bit(Naming::modernbert), kJina = bit(Naming::jina);
constexpr uint16_t kGte = bit(Naming::gte), kPlain = bit(Naming::decoder), kGemma = bit(Naming::gemma);
constexpr uint16_t kClassic = kBert | kMpnet, kSelf = kBert | kJina, kDecoders = kPlain | kGemma;
constexpr uint16_t kPooler = kBertOnly | kJina | kGte, kClassifierModule = kRoberta | kMpnet | kElectra;
constexpr uint16_t kNotModern = kClassic | kDistil | kNomic | kJina | kGte;

constexpr PartRow kRows[] = {
    // clang-format off
    {Part::word_embeddings, kNotModern, "embeddings.word_embeddings", "token_embd", Extent::vocab, Extent::embedding, true},
    {Part::word_embeddings, kModern, "embeddings.tok_embeddings", "token_embd", Extent::vocab, Extent::embedding, true},
    {Part::word_embeddings, kDecoders, "embed_tokens", "token_embd", Extent::vocab, Extent::embedding, true},
    {Part::position_embeddings, kClassic | kDistil, "embeddings.position_embeddings", "position_embd", Extent::positions, Extent::embedding},
    {Part::token_type_embeddings, kSelf | kNomic | kGte, "embeddings.token_type_embeddings", "token_types", Extent::any, Extent::embedding},
    {Part::embeddings_norm, kClassic | kDistil | kJina | kGte, "embeddings.LayerNorm", "token_embd_norm", Extent::embedding, Extent::none},
    {Part::embeddings_projection, kElectra, "embeddings_project", "", Extent::hidden, Extent::embedding, true},
    {Part::embeddings_norm, kNomic, "emb_ln", "token_embd_norm", Extent::hidden, Extent::none},
    {Part::embeddings_norm, kModern, "embeddings.norm", "token_embd_norm", Extent::hidden, Extent::none},
    {Part::distance_bias, kMpnet, "encoder.relative_attention_bias", "", Extent::buckets, Extent::heads},
    {Part::final_norm, kModern, "final_norm", "output_norm", Extent::hidden, Extent::none},
    {Part::final_norm, kDecoders, "norm", "output_norm", Extent::hidden, Extent::none},
    {Part::head_dense, kPooler, "pooler.dense", "cls", Extent::hidden, Extent::hidden},
    {Part::head_dense, kClassifierModule, "classifier.dense", "", Extent::hidden, Extent::hidden},
    {Part::head_dense, kDistil, "pre_classifier", "", Extent::hidden, Extent::hidden},
    {Part::head_dense, kModern, "head.dense", "cls", Extent::hidden, Extent::hidden},
    {Part::head_norm, kModern, "head.norm", "cls.norm", Extent::hidden, Extent::none},
    {Part::classifier, kPooler | kDistil | kModern, "classifier", "cls.output", Extent::labels, Extent::hidden},
    {Part::classifier, kPlain, "", "cls.output", Extent::labels, Extent::hidden},
    {Part::classifier, kClassifierModule, "classifier.out_proj", "", Extent::labels, Extent::hidden},

    {Part::input_norm, kModern, "attn_norm", "attn_norm", Extent::hidden, Extent::none},
    {Part::input_norm, kDecoders, "input_layernorm", "attn_norm", Extent::hidden, Extent::none},
    {Part::query, kSelf, "attention.self.query", "attn_q", Extent::hidden, Extent::hidden, true},
    {Part::query, kMpnet, "attention.attn.q", "", Extent::hidden, Extent::hidden, true},
    {Part::query, kDistil, "attention.q_lin", "", Extent::hidden, Extent::hidden, true},
    {Part::query, kDecoders, "self_attn.q_proj", "attn_q", Extent::queries, Extent::hidden, true},
    {Part::key, kSelf, "attention.self.key", "attn_k", Extent::hidden, Extent::hidden, true},
    {Part::key, kMpnet, "attention.attn.k", "", Extent::hidden, Extent::hidden, true},
    {Part::key, kDistil, "attention.k_lin", "", Extent::hidden, Extent::hidden, true},
    {Part::key, kDecoders, "self_attn.k_proj", "attn_k", Extent::keys, Extent::hidden, true},
    {Part::value, kSelf, "attention.self.value", "attn_v", Extent::hidden, Extent::hidden, true},
    {Part::value, kMpnet, "attention.attn.v", "", Extent::hidden, Extent::hidden, true},
    {Part::value, kDistil, "attention.v_lin", "", Extent::hidden, Extent::hidden, true},
    {Part::value, kDecoders, "self_attn.v_proj", "attn_v", Extent::keys, Extent::hidden, true},
    {Part::qkv, kNomicOnly | kModern, "attn.Wqkv", "attn_qkv", Extent::qkv, Extent::hidden, true},
    {Part::qkv, kJinaV3, "mixer.Wqkv", "attn_qkv", Extent::qkv, Extent::hidden, true},
    {Part::qkv, kGte, "attention.qkv_proj", "", Extent::qkv, Extent::hidden, true},
    {Part::query_norm, kJina, "attention.self.layer_norm_q", "attn_q_norm", Extent::hidden, Extent::none},
    {Part::query_norm, kDecoders, "self_attn.q_norm", "attn_q_norm", Extent::one_head, Extent::none},
    {Part::key_norm, kJina, "attention.self.layer_norm_k", "attn_k_norm", Extent::hidden, Extent::none},
    {Part::key_norm, kDecoders, "self_attn.k_norm", "attn_k_norm", Extent::one_head, Extent::none},
    {Part::attention_output, kSelf, "attention.output.dense", "attn_output", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kMpnet, "attention.attn.o", "", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kDistil, "attention.out_lin", "", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kNomicOnly, "attn.out_proj", "attn_output", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kJinaV3, "mixer.out_proj", "attn_output", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kModern, "attn.Wo", "attn_output", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kGte, "attention.o_proj", "", Extent::hidden, Extent::hidden, true},
    {Part::attention_output, kDecoders, "self_attn.o_proj", "attn_output", Extent::hidden, Extent::queries, true},
    {Part::attention_norm, kSelf, "attention.output.LayerNorm", "attn_output_norm", Extent::hidden, Extent::none},
    {Part::attention_norm, kMpnet, "attention.LayerNorm", "", Extent::hidden, Extent::none},
    {Part::attention_norm, kDistil, "sa_layer_norm", "", Extent::hidden, Extent::none},
    {Part::attention_norm, kNomic, "norm1", "attn_output_norm", Extent::hidden, Extent::none},
    {Part::attention_norm, kGte, "attn_ln", "", Extent::hidden, Extent::none},
    {Part::attention_norm, kGemma, "post_attention_layernorm", "post_attention_norm", Extent::hidden, Extent::none},
    {Part::second_attention_norm, kJina, "layer_norm_1", "attn_norm_2", Extent::hidden, Extent::none},
    {Part::mlp_norm, kModern, "mlp_norm", "ffn_norm", Extent::hidden, Extent::none},
    {Part::mlp_norm, kPlain, "post_attention_layernorm", "ffn_norm", Extent::hidden, Extent::none},
    {Part::mlp_norm, kGemma, "pre_feedforward_layernorm", "ffn_norm", Extent::hidden, Extent::none},
    {Part::up, kClassic, "intermediate.dense", "ffn_up", Extent::intermediate, Extent::hidden, true},
    {Part::up, kDistil, "ffn.lin1", "", Extent::intermediate, Extent::hidden, true},
    {Part::up, kNomicOnly, "mlp.fc11", "ffn_up", Extent::intermediate, Extent::hidden, true},
    {Part::up, kJinaV3, "mlp.fc1", "ffn_up", Extent::intermediate, Extent::hidden, true},
    {Part::up, kJina, "mlp.gated_layers_v", "ffn_up", Extent::intermediate, Extent::hidden, true},
    {Part::up, kDecoders, "mlp.up_proj", "ffn_up", Extent::intermediate, Extent::hidden, true},
    {Part::gate, kNomicOnly, "mlp.fc12", "ffn_gate", Extent::intermediate, Extent::hidden, true},
    {Part::gate, kJina, "mlp.gated_layers_w", "ffn_gate", Extent::intermediate, Extent::hidden, true},
    {Part::gate, kDecoders, "mlp.gate_proj", "ffn_gate", Extent::intermediate, Extent::hidden, true},
    {Part::gate_up, kModern, "mlp.Wi", "ffn_up", Extent::gate_and_up, Extent::hidden, true},
    {Part::gate_up, kJina, "mlp.gated_layers", "ffn_up", Extent::gate_and_up, Extent::hidden, true},
    {Part::up_gate, kJina, "mlp.up_gated_layer", "", Extent::gate_and_up, Extent::hidden, true},
    {Part::up_gate, kGte, "mlp.up_gate_proj", "", Extent::gate_and_up, Extent::hidden, true},
    {Part::down, kDecoders, "mlp.down_proj", "ffn_down", Extent::hidden, Extent::intermediate, true},
    {Part::down, kClassic, "output.dense", "ffn_down", Extent::hidden, Extent::intermediate, true},
    {Part::down, kDistil, "ffn.lin2", "", Extent::hidden, Extent::intermediate, true},
    {Part::down, kNomic, "mlp.fc2", "ffn_down", Extent::hidden, Extent::intermediate, true},
    {Part::down, kModern, "mlp.Wo", "ffn_down", Extent::hidden, Extent::intermediate, true},
    {Part::down, kJina, "mlp.wo", "ffn_down", Extent::hidden, Extent::intermediate, true},
    {Part::down, kJina, "mlp.down_layer", "", Extent::hidden, Extent::intermediate, true},
    {Part::down, kGte, "mlp.down_proj", "", Extent::hidden, Extent::intermediate, true},
    {Part::output_norm, kGemma, "post_feedforward_layernorm", "post_ffw_norm", Extent::hidden, Extent::none},
    {Part::output_norm, kClassic, "output.LayerNorm", "layer_output_norm", Extent::hidden, Extent::none},
    {Part::output_norm, kDistil, "output_layer_norm", "", Extent::hidden, Extent::none},
    {Part::output_norm, kNomic, "norm2", "layer_output_norm", Extent::hidden, Extent::none},
    {Part::output_norm, kJina, "mlp.layernorm", "layer_output_norm", Extent::hidden, Extent::none},
    {Part::output_norm, kJina, "layer_norm_2", "", Extent::hidden, Extent::none},
    {Part::output_norm, kGte, "mlp_ln", "", Extent::hidden, Extent::none},
    // clang-format on
};

constexpr std::string_view kBlocks = "blk.";
constexpr std::string_view kWeight = ".weight", kBias = ".bias";

// Removes "N." from the front. Nothing else may be a name of the layer: "07" would be a second one of layer 7.
bool take_layer(std::string_view& name, uint32_t& layer) {
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
  const auto digits = static_cast<size_t>(end - name.data());
  if (error != std::errc() || digits == name.size() || name[digits] != '.') return false;
  if ((name[0] == '0' && digits > 1) || layer >= kMaxLayers) return false;
  name.remove_prefix(digits + 1);
  return true;
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

uint64_t size_of(Extent extent, const EncoderConfig& config) {
  switch (extent) {
    case Extent::none:
    case Extent::any:
      return 0;
    case Extent::vocab:
      return config.vocab_size;
    case Extent::positions:
      return config.max_positions;
    case Extent::embedding:
      return config.embedding_width();
    case Extent::hidden:
      return config.hidden;
    case Extent::qkv:
      return config.qkv_width();
    case Extent::queries:
      return config.query_width();
    case Extent::keys:
      return config.key_width();
    case Extent::one_head:
      return config.head_dim();
    case Extent::intermediate:
      return config.intermediate;
    case Extent::gate_and_up:
      return 2 * uint64_t{config.intermediate};
    case Extent::buckets:
      return config.distance_buckets;
    case Extent::heads:
      return config.heads;
    case Extent::labels:
      return config.head ? config.head->labels : 0;
  }
  return 0;
}

}  // namespace

std::vector<uint64_t> Role::shape(const EncoderConfig& config) const {
  std::vector<uint64_t> shape = {size_of(row->rows, config)};
  if (row->cols != Extent::none && !is_bias) shape.push_back(size_of(row->cols, config));
  return shape;
}

std::string_view key_of(Extent extent, const EncoderKeys& keys) {
  switch (extent) {
    case Extent::none:
    case Extent::any:
    case Extent::buckets:
    case Extent::labels:
      return {};
    case Extent::vocab:
      return keys.vocab_size;
    case Extent::positions:
      return keys.max_positions;
    case Extent::embedding:
    case Extent::hidden:
    case Extent::qkv:
      return keys.hidden;
    case Extent::intermediate:
    case Extent::gate_and_up:
      return keys.intermediate;
    case Extent::queries:
    case Extent::keys:
    case Extent::one_head:
    case Extent::heads:
      return keys.heads;
  }
  return {};
}

TensorNames::TensorNames(const Family& family, Format format)
    : family_(family), format_(format), is_gguf_(format == Format::gguf) {}

bool TensorNames::has(const PartRow& row) const {
  return (row.namings >> static_cast<unsigned>(family_.naming) & 1) != 0 && !name_in(row).empty();
}

std::string_view TensorNames::layers_prefix() const { return is_gguf_ ? kBlocks : family_.layers; }

std::optional<Role> TensorNames::role_of(std::string_view name) const {
  if (format_ == Format::safetensors && name.starts_with(family_.prefix)) name.remove_prefix(family_.prefix.size());
  Role role;
  if (take_suffix(name, kBias)) {
    role.is_bias = true;
  } else if (!take_suffix(name, kWeight)) {
    return std::nullopt;
  }
  const bool layered = name.starts_with(layers_prefix());
  if (layered) {
    name.remove_prefix(layers_prefix().size());
    if (!take_layer(name, role.layer)) return std::nullopt;
  }
  for (const PartRow& row : kRows) {
    if (row.in_layer() != layered || !has(row) || name_in(row) != name) continue;
    role.row = &row;
    return role;
  }
  return std::nullopt;
}

std::optional<Role> TensorNames::role_of(const TensorInfo& info, const EncoderConfig& config) const {
  std::optional<Role> role = role_of(info.name);
  const PartRow* fused = role && role->part() == Part::up ? row_of(Part::gate_up) : nullptr;
  if (fused && !info.shape.empty() && name_in(*fused) == name_in(*role->row) &&
      info.shape.front() == 2 * uint64_t{config.intermediate}) {
    role->row = fused;
  }
  return role;
}

std::string TensorNames::name_of(const PartRow& row, uint32_t layer, bool is_bias) const {
  std::string name;
  if (row.in_layer()) name.append(layers_prefix()).append(std::to_string(layer)).append(".");
  return name.append(name_in(row)).append(is_bias ? kBias : kWeight);
}

const PartRow* TensorNames::row_of(Part part) const {
  for (const PartRow& row : kRows) {
    if (row.part == part && has(row)) return &row;
  }
  return nullptr;
}

const EncoderKeys& TensorNames::keys() const {
  if (format_ == Format::embd) return kEmbdKeys;
  return is_gguf_ ? kGgufEncoderKeys : family_.keys;
}

}  // namespace quintet::encoder
