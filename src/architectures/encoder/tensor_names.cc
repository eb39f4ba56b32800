#include "architectures/encoder/tensor_names.h"

#include <algorithm>
#include <iterator>

namespace quintet::encoder {
namespace {

using transformer::is_of_head;
using transformer::is_of_mlm_head;
using transformer::kBiasSuffix;
using transformer::kGgufLayers;
using transformer::kWeightSuffix;
using transformer::take_number;
using transformer::take_suffix;

using Config = EncoderConfig;

struct DimRow {
  Dim dim;
  uint64_t (*size)(const Config& config);
  uint64_t TransformerTraits::* key = nullptr;  // of what determines the size, for messages
};

constexpr DimRow kDims[] = {
    {Dim::none, [](const Config&) -> uint64_t { return 0; }},
    {Dim::any, [](const Config&) -> uint64_t { return 0; }},
    {Dim::vocab, [](const Config& c) -> uint64_t { return c.n_vocab; }, &Config::n_vocab},
    {Dim::positions, [](const Config& c) -> uint64_t { return c.max_seq_len; }, &Config::max_seq_len},
    {Dim::embedding, [](const Config& c) -> uint64_t { return c.embedding_width; }, &Config::n_embd},
    {Dim::hidden, [](const Config& c) -> uint64_t { return c.n_embd; }, &Config::n_embd},
    {Dim::qkv, [](const Config& c) -> uint64_t { return c.qkv_width(); }, &Config::n_embd},
    {Dim::queries, [](const Config& c) -> uint64_t { return c.query_width(); }, &Config::n_heads},
    {Dim::keys, [](const Config& c) -> uint64_t { return c.key_width(); }, &Config::n_heads},
    {Dim::head, [](const Config& c) -> uint64_t { return c.head_dim; }, &Config::n_heads},
    {Dim::heads, [](const Config& c) -> uint64_t { return c.n_heads; }, &Config::n_heads},
    {Dim::ff, [](const Config& c) -> uint64_t { return c.n_ff; }, &Config::n_ff},
    {Dim::gate_and_up, [](const Config& c) -> uint64_t { return 2 * c.n_ff; }, &Config::n_ff},
    {Dim::buckets, [](const Config& c) -> uint64_t { return c.distance_buckets; }},
    {Dim::labels, [](const Config& c) -> uint64_t { return c.head ? c.head->labels : 0; }},
};

const DimRow& row_of(Dim dim) {
  const auto* row = std::ranges::find(kDims, dim, &DimRow::dim);
  return row == std::end(kDims) ? kDims[0] : *row;
}

}  // namespace

std::vector<uint64_t> shape_of(const TensorRef& ref, const EncoderConfig& config) {
  std::vector<uint64_t> shape = {row_of(ref.spec->rows).size(config)};
  if (ref.spec->cols != Dim::none && !ref.is_bias) shape.push_back(row_of(ref.spec->cols).size(config));
  return shape;
}

std::string_view key_of(Dim dim, const transformer::TraitKeys& keys) {
  const auto key = row_of(dim).key;
  return key == nullptr ? std::string_view() : keys[key];
}

TensorNames::TensorNames(const Family& family, Format format, bool has_mlm_head)
    : family_(family), format_(format), is_gguf_(format == Format::gguf), has_mlm_head_(has_mlm_head) {}

// Two heads may have the same names.
bool TensorNames::has(const TensorSpec& spec) const {
  if (has_mlm_head_ ? is_of_head(spec.kind) : is_of_mlm_head(spec.kind)) return false;
  return spec.is_of(family_.naming) && !name_in(spec).empty();
}

std::string_view TensorNames::layers_prefix() const { return is_gguf_ ? kGgufLayers : family_.layers; }

std::optional<TensorRef> TensorNames::ref_of(std::string_view name) const {
  if (format_ == Format::safetensors && name.starts_with(family_.prefix)) name.remove_prefix(family_.prefix.size());
  TensorRef ref;
  if (take_suffix(name, kBiasSuffix)) {
    ref.is_bias = true;
  } else if (!take_suffix(name, kWeightSuffix)) {
    return std::nullopt;
  }
  const bool layered = name.starts_with(layers_prefix());
  if (layered) {
    name.remove_prefix(layers_prefix().size());
    if (!take_number(name, ref.layer) || ref.layer >= kMaxLayers) return std::nullopt;
  }
  for (const TensorSpec& spec : tensor_specs()) {
    if (spec.in_layer() != layered || !has(spec) || name_in(spec) != name) continue;
    if (spec.kind == TensorKind::mlm_output && !ref.is_bias) return std::nullopt;
    ref.spec = &spec;
    return ref;
  }
  return std::nullopt;
}

std::optional<TensorRef> TensorNames::ref_of(const TensorInfo& info, const EncoderConfig& config) const {
  std::optional<TensorRef> ref = ref_of(info.name);
  const TensorSpec* fused = ref && ref->kind() == TensorKind::up ? spec_of(TensorKind::gate_up) : nullptr;
  if (fused && !info.shape.empty() && name_in(*fused) == name_in(*ref->spec) && info.shape.front() == 2 * config.n_ff) {
    ref->spec = fused;
  }
  return ref;
}

std::string TensorNames::name_of(const TensorSpec& spec, uint32_t layer, bool is_bias) const {
  std::string name;
  if (spec.in_layer()) name.append(layers_prefix()).append(std::to_string(layer)).append(".");
  return name.append(name_in(spec)).append(is_bias ? kBiasSuffix : kWeightSuffix);
}

TensorOrder TensorNames::order_of(const TensorRef& ref, const EncoderConfig& config) const {
  const bool is_rotated = ref.kind() == TensorKind::query || ref.kind() == TensorKind::key;
  if (!is_gguf_ || !family_.has_permuted_qk || !is_rotated) return {};
  return {.interleaved_heads = ref.kind() == TensorKind::query ? config.n_heads : config.n_kv_heads,
          .head_rows = config.head_dim,
          .rotated_rows = config.head_dim};
}

const TensorSpec* TensorNames::spec_of(TensorKind kind) const {
  for (const TensorSpec& spec : tensor_specs()) {
    if (spec.kind == kind && has(spec)) return &spec;
  }
  return nullptr;
}

}  // namespace quintet::encoder
