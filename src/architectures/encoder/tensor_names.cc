#include "architectures/encoder/tensor_names.h"

#include "base/decimal.h"

#include <algorithm>
#include <iterator>

namespace quintet::encoder {
namespace {

using transformer::is_of_expert;
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
  uint64_t (*size)(const Config& config, size_t layer);
  uint64_t TransformerTraits::* key = nullptr;  // of what determines the size, for messages
};

constexpr DimRow kDims[] = {
    {Dim::none, [](const Config&, size_t) -> uint64_t { return 0; }},
    {Dim::any, [](const Config&, size_t) -> uint64_t { return 0; }},
    {Dim::vocab, [](const Config& c, size_t) -> uint64_t { return c.n_vocab; }, &Config::n_vocab},
    {Dim::positions, [](const Config& c, size_t) -> uint64_t { return c.max_seq_len; }, &Config::max_seq_len},
    {Dim::embedding, [](const Config& c, size_t) -> uint64_t { return c.embedding_width; }, &Config::n_embd},
    {Dim::hidden, [](const Config& c, size_t) -> uint64_t { return c.n_embd; }, &Config::n_embd},
    {Dim::qkv, [](const Config& c, size_t layer) -> uint64_t { return c.qkv_width(layer); }, &Config::n_embd},
    {Dim::queries, [](const Config& c, size_t layer) -> uint64_t { return c.query_width(layer); }, &Config::n_heads},
    {Dim::keys, [](const Config& c, size_t layer) -> uint64_t { return c.key_width(layer); }, &Config::n_heads},
    {Dim::gated_values, [](const Config& c, size_t) -> uint64_t { return 3 * c.n_embd; }, &Config::n_embd},
    {Dim::kernel, [](const Config& c, size_t) -> uint64_t { return c.convolution_length; },
     &Config::convolution_length},
    {Dim::head, [](const Config& c, size_t layer) -> uint64_t { return c.head_dim_of(layer); }, &Config::n_heads},
    {Dim::heads, [](const Config& c, size_t) -> uint64_t { return c.n_heads; }, &Config::n_heads},
    {Dim::ff, [](const Config& c, size_t) -> uint64_t { return c.n_ff; }, &Config::n_ff},
    {Dim::gate_and_up, [](const Config& c, size_t) -> uint64_t { return 2 * c.n_ff; }, &Config::n_ff},
    {Dim::experts, [](const Config& c, size_t) -> uint64_t { return c.n_experts; }, &Config::n_experts},
    {Dim::expert_ff, [](const Config& c, size_t) -> uint64_t { return c.expert_ff; }, &Config::n_ff},
    {Dim::all_expert_ff, [](const Config& c, size_t) -> uint64_t { return c.n_experts * c.expert_ff; }, &Config::n_ff},
    {Dim::layer_input, [](const Config& c, size_t) -> uint64_t { return c.layer_input_width; },
     &Config::layer_input_width},
    {Dim::layer_inputs, [](const Config& c, size_t) -> uint64_t { return c.n_layers * c.layer_input_width; },
     &Config::layer_input_width},
    {Dim::one, [](const Config&, size_t) -> uint64_t { return 1; }},
    {Dim::output, [](const Config& c, size_t) -> uint64_t { return c.output_width; }},
    {Dim::buckets, [](const Config& c, size_t) -> uint64_t { return c.distance_buckets; }},
    {Dim::relative_positions, [](const Config& c, size_t) -> uint64_t { return 2 * c.relative_buckets; },
     &Config::relative_buckets},
    {Dim::labels, [](const Config& c, size_t) -> uint64_t { return c.head ? c.head->labels : 0; }},
};

const DimRow& row_of(Dim dim) {
  const auto* row = std::ranges::find(kDims, dim, &DimRow::dim);
  return row == std::end(kDims) ? kDims[0] : *row;
}

}  // namespace

std::vector<uint64_t> shape_of(const TensorRef& ref, const EncoderConfig& config) {
  std::vector<uint64_t> shape = {row_of(ref.spec->rows).size(config, ref.layer)};
  if (ref.spec->cols != Dim::none && !ref.is_bias) shape.push_back(row_of(ref.spec->cols).size(config, ref.layer));
  const bool is_stacked = ref.has_all_experts() && ref.spec->rows != Dim::all_expert_ff;
  if (is_stacked) shape.insert(shape.begin(), config.n_experts);
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
  ref.is_bias = take_suffix(name, kBiasSuffix);
  const bool has_suffix = ref.is_bias || take_suffix(name, kWeightSuffix) || take_suffix(name, kParametrizedSuffix);
  const bool layered = name.starts_with(layers_prefix());
  if (layered) {
    name.remove_prefix(layers_prefix().size());
    if (!take_number(name, ref.layer) || ref.layer >= kMaxLayers) return std::nullopt;
  }
  for (const TensorSpec& spec : tensor_specs()) {
    if (spec.in_layer() != layered || !has(spec) || name_in(spec) != name) continue;
    if (has_suffix == is_bare(spec)) continue;
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
  if (spec.in_layer()) name.append(layers_prefix()).append(write_natural(layer)).append(".");
  name.append(name_in(spec));
  return is_bare(spec) ? name : name.append(is_bias ? kBiasSuffix : kWeightSuffix);
}

// Hugging Face's names of parameters that are not those of a module.
bool TensorNames::is_bare(const TensorSpec& spec) const {
  return !is_gguf_ && (is_of_expert(spec.kind) || spec.kind == TensorKind::layer_scale);
}

TensorOrder TensorNames::order_of(const TensorRef& ref, const EncoderConfig& config) const {
  if (ref.kind() == TensorKind::expert_down) return {.is_transposed = !is_gguf_};
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
