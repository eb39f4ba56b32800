#include "architectures/decoder/tensor_names.h"

#include <algorithm>

namespace quintet::decoder {
namespace {

using transformer::kBiasSuffix;
using transformer::kGgufLayers;
using transformer::kWeightSuffix;
using transformer::take_number;
using transformer::take_suffix;

constexpr std::string_view kLayersPrefix = "model.layers.";

// Without the prefix that the decoder has in a model of texts and images: `model.language_model.` in those of
// transformers 5, `language_model.` before. The `model.` of Mamba-2 is called `backbone.`.
std::string decoder_name(std::string_view name) {
  constexpr std::string_view kNewer = "model.language_model.", kOlder = "language_model.", kMambas = "backbone.";
  if (name.starts_with(kNewer)) return formatted("model.{}", name.substr(kNewer.size()));
  if (name.starts_with(kMambas)) return formatted("model.{}", name.substr(kMambas.size()));
  return std::string(name.substr(name.starts_with(kOlder) ? kOlder.size() : 0));
}

constexpr std::string_view kExpertNumber = "*.";

// Whether a spec's name is this one, which may have the number of an expert.
bool is_named(std::string_view pattern, std::string_view name, std::optional<uint32_t>& expert) {
  const size_t at = pattern.find(kExpertNumber);
  if (at == std::string_view::npos) return !pattern.empty() && pattern == name;
  if (!name.starts_with(pattern.substr(0, at))) return false;
  name.remove_prefix(at);
  uint32_t number = 0;
  if (take_number(name, number)) expert = number;
  return pattern.substr(at + kExpertNumber.size()) == name;
}

// A tensor outside of modules, whose name has no suffix.
bool is_bare(TensorKind kind) {
  return kind == TensorKind::router_bias || kind == TensorKind::layer_scale || kind == TensorKind::altup_scale ||
         (kind >= TensorKind::xielu_positive && kind <= TensorKind::xielu_eps);
}

// A spec's name with the number of the expert, if there is one, and the tensor's role in the module.
std::string name_in_layer(const TensorRef& ref, std::string_view pattern) {
  std::string name(pattern);
  const size_t at = name.find(kExpertNumber);
  if (at != std::string::npos) {
    name.replace(at, kExpertNumber.size(), ref.expert ? formatted("{}.", *ref.expert) : std::string());
  }
  if (is_parameter(ref.kind())) return name;
  return name.append(ref.is_bias ? kBiasSuffix : kWeightSuffix);
}

}  // namespace

std::vector<uint64_t> shape_of(const TensorRef& ref, const DecoderConfig& config) {
  std::vector<uint64_t> shape = {size_of(ref.spec->rows, config, ref.layer)};
  if (ref.has_all_experts()) shape.insert(shape.begin(), config.n_experts);
  if (ref.spec->cols != Dim::none && !ref.is_bias) shape.push_back(size_of(ref.spec->cols, config, ref.layer));
  return shape;
}

TensorNames::TensorNames(const ModelDescription& description)
    : format_(description.format),
      is_gguf_(description.format == Format::gguf),
      family_(is_gguf_ ? family_of_gguf(description.architecture) : family_of_model_type(description.architecture)) {}

bool TensorNames::may_be(const TensorSpec& spec) const {
  const bool is_decided = family_ != nullptr && (is_gguf_ || needs_family(family_->naming));
  return is_decided ? spec.is_of(family_->naming)
                    : spec.is_of(Naming::llama) || spec.is_of(Naming::phi3) || spec.is_of(Naming::phi2);
}

std::optional<TensorRef> TensorNames::ref_of(std::string_view name) const {
  if (is_gguf_ && family_ == nullptr) return std::nullopt;
  const std::string of_decoder = format_ == Format::safetensors ? name_of_folder(name) : std::string();
  if (format_ == Format::safetensors) name = of_decoder;
  TensorRef ref;
  std::string_view whole = name;
  ref.is_bias = take_suffix(name, kBiasSuffix);
  const bool has_suffix = ref.is_bias || take_suffix(name, kWeightSuffix);
  const std::string_view prefix = is_gguf_ ? kGgufLayers : kLayersPrefix;
  const bool layered = name.starts_with(prefix);
  if (layered) {
    name.remove_prefix(prefix.size());
    if (!take_number(name, ref.layer)) return std::nullopt;
    whole.remove_prefix(static_cast<size_t>(name.data() - whole.data()));
  }
  for (const TensorSpec& spec : tensor_specs()) {
    if (spec.in_layer() != layered || !may_be(spec)) continue;
    const std::string_view pattern = is_gguf_ ? spec.gguf : spec.huggingface;
    std::optional<uint32_t> expert;
    const bool is_whole = is_parameter(spec.kind);
    if (!is_named(pattern, is_whole ? whole : name, expert)) continue;
    // Only tensors outside of modules have no suffix, or that of a bias. llama.cpp leaves it out of a
    // norm of Falcon-H1.
    const bool has_bare_norm = is_gguf_ && spec.kind == TensorKind::mlp_norm && family_->naming == Naming::falcon_h1;
    const bool may_be_bare = is_whole || is_bare(spec.kind) || (is_of_expert(spec.kind) && !expert);
    if (!has_suffix && !may_be_bare && !has_bare_norm) continue;
    ref.spec = &spec;
    ref.expert = expert;
    if (is_whole || is_bare(spec.kind)) ref.is_bias = false;
    return ref;
  }
  return std::nullopt;
}

std::string TensorNames::name_of(const TensorRef& ref) const {
  std::string name;
  if (ref.in_layer()) name = formatted("{}{}.", is_gguf_ ? kGgufLayers : kLayersPrefix, ref.layer);
  name += name_in_layer(ref, is_gguf_ ? ref.spec->gguf : ref.spec->huggingface);
  const bool is_of_folder = format_ == Format::safetensors && family_ != nullptr;
  return is_of_folder ? name_in_folder(family_->folder_naming, name) : name;
}

std::string TensorNames::name_of_folder(std::string_view name) const {
  const std::string of_decoder = decoder_name(name);
  return family_ == nullptr ? of_decoder : name_from_folder(family_->folder_naming, of_decoder);
}

std::string TensorNames::huggingface_name(std::string_view name) const {
  if (format_ == Format::safetensors) return name_of_folder(name);
  const auto ref = is_gguf_ ? ref_of(name) : std::nullopt;
  return ref ? huggingface_name(*ref) : std::string(name);
}

std::string TensorNames::huggingface_name(const TensorRef& ref) const {
  const TensorSpec* spec = ref.spec;
  if (ref.expert && family_ != nullptr && spec->huggingface.find(kExpertNumber) == std::string_view::npos) {
    spec = spec_of(ref.kind(), family_->naming);
  }
  std::string name;
  if (ref.in_layer()) name = formatted("{}{}.", kLayersPrefix, ref.layer);
  return name + name_in_layer(ref, spec->huggingface);
}

TensorOrder TensorNames::order_of(const TensorRef& ref, const DecoderConfig& config) const {
  const bool is_folder = format_ == Format::safetensors;
  TensorOrder order;
  if (family_ == nullptr || (!is_gguf_ && !is_folder)) return order;
  if (is_gguf_ ? family_->has_permuted_qk : family_->has_permuted_folder) {
    order.head_rows = config.head_dim_of(ref.layer);
    order.rotated_rows = config.rope_dim_of(ref.layer);
    const uint64_t heads = ref.kind() == TensorKind::query ? config.n_heads
                           : ref.kind() == TensorKind::key ? config.kv_heads_of(ref.layer)
                           : ref.kind() == TensorKind::qkv ? config.n_heads + config.kv_heads_of(ref.layer)
                                                           : 0;
    order.interleaved_heads = heads;
  }
  if (is_folder) {
    order.is_transposed = family_->has_transposed_folder && ref.in_layer() && ref.spec->is_matrix() && !ref.is_bias;
    if (family_->has_grouped_qkv && ref.kind() == TensorKind::qkv) {
      order.groups = config.kv_heads_of(ref.layer);
      order.head_rows = config.head_dim_of(ref.layer);
    }
  }
  return order;
}

bool is_huggingface_matrix(std::string_view name) {
  uint32_t layer = 0;
  if (!take_suffix(name, kWeightSuffix)) return false;
  const bool layered = name.starts_with(kLayersPrefix);
  if (layered) name.remove_prefix(kLayersPrefix.size());
  if (layered && !take_number(name, layer)) return false;
  return std::ranges::any_of(tensor_specs(), [=](const TensorSpec& spec) {
    std::optional<uint32_t> expert;
    return spec.in_layer() == layered && is_named(spec.huggingface, name, expert) && spec.is_matrix();
  });
}

const TensorSpec* spec_of(TensorKind kind, Naming naming) {
  for (const TensorSpec& spec : tensor_specs()) {
    if (spec.kind == kind && spec.is_of(naming)) return &spec;
  }
  return nullptr;
}

}  // namespace quintet::decoder
