#include "architectures/decoder/layer_parts.h"

#include <algorithm>
#include <charconv>

namespace quintet::decoder {
namespace {

constexpr std::string_view kLayersPrefix = "model.layers.", kBlockPrefix = "blk.";
constexpr std::string_view kWeight = ".weight", kBias = ".bias";

// Without the prefix that the decoder has in a model of texts and images: `model.language_model.` in those of
// transformers 5, `language_model.` before. The `model.` of Mamba-2 is called `backbone.`.
std::string decoder_name(std::string_view name) {
  constexpr std::string_view kNewer = "model.language_model.", kOlder = "language_model.", kMambas = "backbone.";
  if (name.starts_with(kNewer)) return "model." + std::string(name.substr(kNewer.size()));
  if (name.starts_with(kMambas)) return "model." + std::string(name.substr(kMambas.size()));
  return std::string(name.substr(name.starts_with(kOlder) ? kOlder.size() : 0));
}

bool in_layer(const PartRow& row) { return static_cast<size_t>(row.part) < kLayerParts; }

// Removes "N." from the front; false unless it starts with a number below 2^32.
bool take_number(std::string_view& name, uint32_t& number) {
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const auto digits = static_cast<size_t>(end - name.data());
  if (error != std::errc() || digits == name.size() || name[digits] != '.') return false;
  name.remove_prefix(digits + 1);
  return true;
}

constexpr std::string_view kExpertNumber = "*.";

// Whether a row's name is this one, which may have the number of an expert.
bool is_named(std::string_view row, std::string_view name, std::optional<uint32_t>& expert) {
  const size_t at = row.find(kExpertNumber);
  if (at == std::string_view::npos) return !row.empty() && row == name;
  if (!name.starts_with(row.substr(0, at))) return false;
  name.remove_prefix(at);
  uint32_t number = 0;
  if (take_number(name, number)) expert = number;
  return row.substr(at + kExpertNumber.size()) == name;
}

// A tensor that is no module of its own, whose name has no suffix.
bool is_parameter_of_module(Part part) {
  return part == Part::router_bias || part == Part::layer_scale ||
         (part >= Part::xielu_positive && part <= Part::xielu_eps);
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// A row's name with the number of the expert, if there is one, and what the tensor is of the module.
std::string name_in_layer(const Role& role, std::string_view row) {
  std::string name(row);
  const size_t at = name.find(kExpertNumber);
  if (at != std::string::npos) {
    name.replace(at, kExpertNumber.size(), role.expert ? std::to_string(*role.expert) + "." : std::string());
  }
  if (is_parameter(role.part())) return name;
  return name.append(role.is_bias ? kBias : kWeight);
}

}  // namespace

std::vector<uint64_t> Role::shape(const DecoderConfig& config) const {
  std::vector<uint64_t> shape = {size_of(row->rows, config, layer)};
  if (has_all_experts()) shape.insert(shape.begin(), config.n_experts);
  if (row->cols != Extent::none && !is_bias) shape.push_back(size_of(row->cols, config, layer));
  return shape;
}

TensorNames::TensorNames(const ModelDescription& description)
    : format_(description.format),
      is_gguf_(description.format == Format::gguf),
      family_(is_gguf_ ? family_of_gguf(description.architecture) : family_of_model_type(description.architecture)) {}

bool TensorNames::may_be(const PartRow& row) const {
  const bool is_decided = family_ != nullptr && (is_gguf_ || needs_family(family_->naming));
  return is_decided ? row.is_of(family_->naming)
                    : row.is_of(Naming::llama) || row.is_of(Naming::phi3) || row.is_of(Naming::phi2);
}

std::optional<Role> TensorNames::role_of(std::string_view name) const {
  if (is_gguf_ && family_ == nullptr) return std::nullopt;
  const std::string of_decoder = format_ == Format::safetensors ? name_of_folder(name) : std::string();
  if (format_ == Format::safetensors) name = of_decoder;
  Role role;
  std::string_view whole = name;
  role.is_bias = take_suffix(name, kBias);
  const bool has_suffix = role.is_bias || take_suffix(name, kWeight);
  const std::string_view prefix = is_gguf_ ? kBlockPrefix : kLayersPrefix;
  const bool layered = name.starts_with(prefix);
  if (layered) {
    name.remove_prefix(prefix.size());
    if (!take_number(name, role.layer)) return std::nullopt;
    whole.remove_prefix(static_cast<size_t>(name.data() - whole.data()));
  }
  for (const PartRow& row : part_rows()) {
    if (in_layer(row) != layered || !may_be(row)) continue;
    const std::string_view of_row = is_gguf_ ? row.gguf : row.huggingface;
    std::optional<uint32_t> expert;
    const bool is_whole = is_parameter(row.part);
    if (!is_named(of_row, is_whole ? whole : name, expert)) continue;
    // Only tensors that are no modules of their own have no suffix, or that of a bias. llama.cpp leaves it out of a
    // norm of Falcon-H1.
    const bool has_bare_norm = is_gguf_ && row.part == Part::mlp_norm && family_->naming == Naming::falcon_h1;
    const bool may_be_bare = is_whole || is_parameter_of_module(row.part) || (is_of_expert(row.part) && !expert);
    if (!has_suffix && !may_be_bare && !has_bare_norm) continue;
    role.row = &row;
    role.expert = expert;
    if (is_whole || is_parameter_of_module(row.part)) role.is_bias = false;
    return role;
  }
  return std::nullopt;
}

std::string TensorNames::name_of(const Role& role) const {
  std::string name;
  if (role.in_layer()) name = std::string(is_gguf_ ? kBlockPrefix : kLayersPrefix) + std::to_string(role.layer) + ".";
  name += name_in_layer(role, is_gguf_ ? role.row->gguf : role.row->huggingface);
  const bool is_of_folder = format_ == Format::safetensors && family_ != nullptr;
  return is_of_folder ? name_in_folder(family_->folder_naming, name) : name;
}

std::string TensorNames::name_of_folder(std::string_view name) const {
  const std::string of_decoder = decoder_name(name);
  return family_ == nullptr ? of_decoder : name_from_folder(family_->folder_naming, of_decoder);
}

std::string TensorNames::huggingface_name(std::string_view name) const {
  if (format_ == Format::safetensors) return name_of_folder(name);
  const auto role = is_gguf_ ? role_of(name) : std::nullopt;
  return role ? huggingface_name(*role) : std::string(name);
}

std::string TensorNames::huggingface_name(const Role& role) const {
  const PartRow* row = role.row;
  if (role.expert && family_ != nullptr && row->huggingface.find(kExpertNumber) == std::string_view::npos) {
    row = row_of(role.part(), family_->naming);
  }
  std::string name;
  if (role.in_layer()) name = std::string(kLayersPrefix) + std::to_string(role.layer) + ".";
  return name + name_in_layer(role, row->huggingface);
}

TensorOrder TensorNames::order_of(const Role& role, const DecoderConfig& config) const {
  const bool is_folder = format_ == Format::safetensors;
  TensorOrder order;
  if (family_ == nullptr || (!is_gguf_ && !is_folder)) return order;
  if (is_gguf_ ? family_->has_permuted_qk : family_->has_permuted_folder) {
    order.head_rows = config.head_dim_of(role.layer);
    order.rotated_rows = config.rope_dim_of(role.layer);
    const uint64_t heads = role.part() == Part::query ? config.n_heads
                           : role.part() == Part::key ? config.kv_heads_of(role.layer)
                           : role.part() == Part::qkv ? config.n_heads + config.kv_heads_of(role.layer)
                                                      : 0;
    order.interleaved_heads = heads;
  }
  if (is_folder) {
    order.is_transposed = family_->has_transposed_folder && role.in_layer() && role.row->is_matrix() && !role.is_bias;
    if (family_->has_grouped_qkv && role.part() == Part::qkv) {
      order.groups = config.kv_heads_of(role.layer);
      order.head_rows = config.head_dim_of(role.layer);
    }
  }
  return order;
}

Failure unknown_expert(const TensorInfo& info, uint64_t experts) {
  return tensor_error(Code::format, Reason::mismatch, info,
                      "an expert beyond the " + std::to_string(experts) + " of the configuration");
}

bool is_huggingface_matrix(std::string_view name) {
  uint32_t layer = 0;
  if (!take_suffix(name, kWeight)) return false;
  const bool layered = name.starts_with(kLayersPrefix);
  if (layered) name.remove_prefix(kLayersPrefix.size());
  if (layered && !take_number(name, layer)) return false;
  return std::ranges::any_of(part_rows(), [=](const PartRow& row) {
    std::optional<uint32_t> expert;
    return in_layer(row) == layered && is_named(row.huggingface, name, expert) && row.is_matrix();
  });
}

const PartRow* row_of(Part part, Naming naming) {
  for (const PartRow& row : part_rows()) {
    if (row.part == part && row.is_of(naming)) return &row;
  }
  return nullptr;
}

}  // namespace quintet::decoder
