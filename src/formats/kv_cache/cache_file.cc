#include "formats/kv_cache/cache_file.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/decimal.h"
#include "formats/kv_cache/metadata.h"
#include "formats/model_description.h"
#include "formats/safetensors/header.h"

namespace quintet::kv {
namespace {

using Kind = TensorRole::Kind;

constexpr std::string_view kLayer = "layer_", kKey = "_key", kValue = "_value", kScale = ".scale";
constexpr std::string_view kConvolution = "_conv_state", kRecurrence = "_recurrent_state";
constexpr std::string_view kTokens = "token_ids", kLogits = "logits";

constexpr std::string_view kCompression = "compression", kLayout = "layout", kGroup = "group_size",
                           kOriginal = "original_dtype";
constexpr std::string_view kInt4 = "INT4", kFloat = "float", kPacked = "packed";

// The names of original_dtype for the possible types of values.
struct FloatType {
  Dtype dtype;
  std::string_view name;
};
constexpr FloatType kFloatTypes[] = {{Dtype::f32, "float32"}, {Dtype::f16, "float16"}, {Dtype::bf16, "bfloat16"}};

// The metadata keys that repeat the shape.
struct ShapeKey {
  std::string_view name;
  uint64_t Shape::* size;
};
constexpr std::string_view kPositions = "seq_len";
constexpr ShapeKey kShapeKeys[] = {{kPositions, &Shape::positions},
                                   {"num_layers", &Shape::layers},
                                   {"num_kv_heads", &Shape::kv_heads},
                                   {"head_dim", &Shape::head_dim}};

// The last two are missing unless all heads have the same size.
std::span<const ShapeKey> shape_keys(const CacheFile& file) {
  const bool has_heads = file.local_layers.empty() && file.layers_with_rows() != 0;
  return std::span(kShapeKeys).first(has_heads ? 4 : 2);
}

Result<Dtype> read_original_dtype(const Json& metadata) {
  const std::string* text = find_text(metadata, kOriginal);
  if (text == nullptr) return Dtype::f32;
  for (const auto& [dtype, name] : kFloatTypes) {
    if (*text == name) return dtype;
  }
  return wrong_metadata(kOriginal, text, Reason::unknown_value, "float32, float16 or bfloat16");
}

// `dtype` is that of the tensors with keys and values.
Result<Storage> read_storage(const Json& metadata, Dtype dtype) {
  const std::string* compression = find_text(metadata, kCompression);
  const std::string* layout = find_text(metadata, kLayout);
  const std::string* group = find_text(metadata, kGroup);
  if (compression == nullptr) {
    if (layout != nullptr) return wrong_metadata(kCompression, nullptr, Reason::missing, kInt4);
    return Storage{.dtype = dtype};
  }
  if (*compression != kInt4) return wrong_metadata(kCompression, compression, Reason::unknown_value, kInt4);
  if (layout != nullptr && *layout != kFloat && *layout != kPacked) {
    return wrong_metadata(kLayout, layout, Reason::unknown_value, "float or packed");
  }
  Storage storage{.dtype = dtype, .layout = Layout::rounded};
  const bool packed = layout != nullptr && *layout == kPacked;
  if (group != nullptr) storage.group = parse_natural(*group).value_or(0);
  if (storage.group == 0 && (packed || group != nullptr)) {
    return wrong_metadata(kGroup, group, Reason::malformed, "a number of at least 1");
  }
  if (!packed) return storage;
  storage.layout = Layout::packed;
  QUINTET_TRY(storage.dtype, read_original_dtype(metadata));
  return storage;
}

// The tensor for a role in such a file: name, type and shape.
TensorInfo tensor_of(const CacheFile& file, const TensorRole& role) {
  const Shape& shape = file.shape;
  const Storage& storage = file.storage;
  TensorInfo info;
  if (role.kind == Kind::tokens) {
    info.name = kTokens;
    info.dtype = Dtype::i32;
    info.shape = {shape.positions};
    return info;
  }
  if (role.kind == Kind::logits) {
    info.name = kLogits;
    info.shape = {file.logits};
    return info;
  }
  info.name = formatted("{}{}", kLayer, role.layer);
  const States& states = file.states;
  if (role.kind == Kind::convolution) {
    info.name += kConvolution;
    info.shape = {states.checkpoints.size(), states.inputs, states.channels};
    return info;
  }
  if (role.kind == Kind::recurrence) {
    info.name += kRecurrence;
    info.shape = {states.checkpoints.size(), states.values};
    return info;
  }
  info.name += role.is_value ? kValue : kKey;
  const Heads heads = file.heads_of(role.layer);
  info.shape = {1, heads.count, shape.positions, heads.dim};
  info.dtype = storage.dtype;
  if (role.kind == Kind::scales) {
    info.name += kScale;
    info.shape.back() /= storage.group;
    info.dtype = Dtype::f16;
  } else if (storage.layout == Layout::packed) {
    info.shape.back() /= 2;
    info.dtype = Dtype::u8;
  }
  return info;
}

// Layers above all that have tensors; 0 if the metadata do not contain it.
uint64_t layers_in_metadata(const Json& metadata) {
  const std::string* text = find_text(metadata, "num_layers");
  const uint64_t layers = text == nullptr ? 0 : parse_natural(*text).value_or(0);
  return layers <= kMaxLayers ? layers : 0;
}

bool is_float(Dtype dtype) { return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16; }

bool in_range(uint64_t number, uint64_t max) { return number >= 1 && number <= max; }

// The types of a cache's rows (tensor/packed/kv_rows.h).
constexpr uint64_t kMaxHeadDim = 65536;

// Sizes are limited, because tensors without data could claim any size for free.
Result<Heads> read_heads(const TensorInfo& info, const CacheFile& file) {
  const bool packed = file.storage.layout == Layout::packed;
  if (packed ? info.dtype != Dtype::u8 : !is_float(info.dtype)) {
    return wrong_tensor(info, Reason::mismatch, "keys and values of type {}", quintet::name_of(info.dtype));
  }
  const std::vector<uint64_t>& sizes = info.shape;
  if (sizes.size() != 4 || sizes[0] != 1 || !in_range(sizes[1], kMaxHeads) || sizes[2] > kMaxPositions ||
      !in_range(sizes[3], packed ? kMaxHeadDim / 2 : kMaxHeadDim)) {
    return wrong_tensor(info, Reason::mismatch, "expected [1, kv_heads, positions, head_dim], found {}",
                        shape_text(sizes));
  }
  const Heads heads = {.count = sizes[1], .dim = packed ? 2 * sizes[3] : sizes[3]};
  if (packed && heads.dim % file.storage.group != 0) {
    return wrong_metadata(kGroup, find_text(file.metadata, kGroup), Reason::mismatch,
                          formatted("a divisor of {}", heads.dim));
  }
  return heads;
}

// Counts the tensors by role. Their number shows whether any is missing, because names are unique and no layer number
// is too high (see check_tensor()).
struct Census {
  const TensorInfo* first = nullptr;  // of the keys and values
  uint64_t values = 0, scales = 0;
  const TensorInfo *convolution = nullptr, *recurrence = nullptr;  // the first of each
  uint64_t max_layers = 0;                                         // above the number of every layer

  bool has_states() const { return convolution != nullptr || recurrence != nullptr; }
};

Result<Census> count_tensors(const std::vector<TensorInfo>& tensors, CacheFile& file) {
  Census census;
  for (const TensorInfo& info : tensors) {
    const auto role = tensor_role(info.name);
    if (!role) return wrong_tensor(info, Reason::unknown_value, "not a tensor of a KV cache");
    if (role->kind == Kind::tokens) file.has_token_tensor = true;
    if (role->kind == Kind::logits) file.logits = info.elements();
    if (role->kind == Kind::scales) ++census.scales;
    if (role->kind == Kind::convolution && census.convolution == nullptr) census.convolution = &info;
    if (role->kind == Kind::recurrence && census.recurrence == nullptr) census.recurrence = &info;
    if (role->layer < kMaxLayers) census.max_layers = std::max(census.max_layers, role->layer + 1);
    if (role->kind != Kind::values) continue;
    if (census.first == nullptr) census.first = &info;
    ++census.values;
  }
  return census;
}

// Heads and positions are those of the first tensor. Layers whose keys have other heads have those of the first such
// layer. All tensors are compared with them later.
Status read_shape(const std::vector<TensorInfo>& tensors, const Census& census, CacheFile& file) {
  QUINTET_TRY(const Heads heads, read_heads(*census.first, file));
  file.shape.kv_heads = heads.count;
  file.shape.head_dim = heads.dim;
  file.shape.positions = census.first->shape[2];
  for (const TensorInfo& info : tensors) {
    const TensorRole role = *tensor_role(info.name);
    if (role.kind != Kind::values || role.is_value || role.layer >= kMaxLayers) continue;
    QUINTET_TRY(const Heads own, read_heads(info, file));
    if (own == heads) continue;
    if (file.local_layers.empty()) file.local = own;
    file.local_layers.resize(static_cast<size_t>(census.max_layers));
    file.local_layers[static_cast<size_t>(role.layer)] = true;
  }
  return {};
}

// Without keys, the number of positions is in the metadata.
Status read_positions(CacheFile& file) {
  const std::string* text = find_text(file.metadata, kPositions);
  const auto positions = text == nullptr ? std::nullopt : parse_natural(*text);
  if (!positions || *positions > kMaxPositions) {
    return wrong_metadata(kPositions, text, Reason::malformed, "a number of positions");
  }
  file.shape.positions = *positions;
  return {};
}

Status check_tensor(const TensorInfo& info, const CacheFile& file) {
  const TensorRole role = *tensor_role(info.name);
  if (role.layer >= file.shape.layers) {
    return wrong_tensor(info, Reason::mismatch, "expected layers below {}", file.shape.layers);
  }
  const TensorInfo expected = tensor_of(file, role);
  if (info.dtype == expected.dtype && info.shape == expected.shape) return {};
  const auto text = [](const TensorInfo& i) {
    return formatted("{} {}", quintet::name_of(i.dtype), shape_text(i.shape));
  };
  return wrong_tensor(info, Reason::mismatch, "expected {}, found {}", text(expected), text(info));
}

// One per position.
Status read_token_ids(CacheFile& file) {
  const std::string* text = find_text(file.metadata, kTokens);
  if (text == nullptr) return {};
  file.token_ids = naturals(*text);
  if (!file.token_ids) return wrong_metadata(kTokens, text, Reason::malformed, "numbers separated by commas");
  if (file.token_ids->size() == file.shape.positions) return {};
  return wrong_metadata(kTokens, text, Reason::mismatch, formatted("{} numbers", file.shape.positions));
}

// All layers have keys and values, unless there are states: then a layer has either or both, but whole.
Status read_layers(const std::vector<TensorInfo>& tensors, const Census& census, CacheFile& file) {
  const uint64_t scales = file.storage.layout == Layout::packed ? census.values : 0;
  if (census.values % 2 != 0 || census.scales != scales) {
    return format_error(Reason::missing, safetensors::kLengthBytes, "some of the keys, values or scales are missing");
  }
  file.shape.layers = std::min(census.values / 2, kMaxLayers);
  if (census.has_states()) {
    file.shape.layers = std::max(census.max_layers, layers_in_metadata(file.metadata));
    file.layers_without_rows.resize(static_cast<size_t>(file.shape.layers), true);
    file.states.layers.resize(static_cast<size_t>(file.shape.layers));
  }
  for (const TensorInfo& info : tensors) QUINTET_CHECK(check_tensor(info, file));
  if (!census.has_states()) return {};
  struct Count {
    int rows = 0, states = 0;
  };
  std::vector<Count> counts(static_cast<size_t>(file.shape.layers));
  for (const TensorInfo& info : tensors) {
    const TensorRole role = *tensor_role(info.name);
    const auto layer = static_cast<size_t>(role.layer);
    if (role.is_row()) ++counts[layer].rows;
    if (role.is_row()) file.layers_without_rows[layer] = false;
    if (role.is_state()) ++counts[layer].states;
    if (role.is_state()) file.states.layers[layer] = true;
  }
  const int rows = file.storage.layout == Layout::packed ? 4 : 2;
  const int states = (census.convolution != nullptr) + (census.recurrence != nullptr);
  for (size_t layer = 0; layer < counts.size(); ++layer) {
    const auto& [found_rows, found_states] = counts[layer];
    if (found_rows % rows == 0 && found_states % states == 0) continue;
    return format_error(Reason::missing, safetensors::kLengthBytes,
                        "some of the keys, values, scales or states of layer {} are missing", layer);
  }
  return {};
}

Status check_shape_keys(const CacheFile& file) {
  for (const auto& [key, size] : shape_keys(file)) {
    const std::string* text = find_text(file.metadata, key);
    if (text == nullptr || parse_natural(*text) == file.shape.*size) continue;
    return wrong_metadata(key, text, Reason::mismatch, write_natural(file.shape.*size));
  }
  return {};
}

}  // namespace

std::string_view name_of(Layout layout) {
  switch (layout) {
    case Layout::plain:
      break;
    case Layout::rounded:
      return kFloat;
    case Layout::packed:
      return kPacked;
  }
  return "plain";
}

std::optional<TensorRole> tensor_role(std::string_view name) {
  if (name == kTokens) return TensorRole{.kind = Kind::tokens};
  if (name == kLogits) return TensorRole{.kind = Kind::logits};
  if (!name.starts_with(kLayer)) return std::nullopt;
  name.remove_prefix(kLayer.size());
  const auto layer = leading_number(name);
  // With leading zeros, a layer would have several names.
  if (!layer || (name.front() == '0' && layer->digits > 1)) return std::nullopt;
  TensorRole role = {.layer = layer->value};
  name.remove_prefix(layer->digits);
  if (name == kConvolution || name == kRecurrence) {
    role.kind = name == kConvolution ? Kind::convolution : Kind::recurrence;
    return role;
  }
  if (name.ends_with(kScale)) {
    role.kind = Kind::scales;
    name.remove_suffix(kScale.size());
  }
  role.is_value = name == kValue;
  if (!role.is_value && name != kKey) return std::nullopt;
  return role;
}

Result<CacheFile> read_cache_file(const ModelDescription& description) {
  CacheFile file;
  file.metadata = description.metadata;
  QUINTET_TRY(const Census census, count_tensors(description.tensors, file));
  if (census.first != nullptr) {
    QUINTET_TRY(file.storage, read_storage(file.metadata, census.first->dtype));
    QUINTET_CHECK(read_shape(description.tensors, census, file));
  } else if (census.has_states()) {
    QUINTET_CHECK(read_positions(file));
  } else {
    return format_error(Reason::missing, safetensors::kLengthBytes, "no layer_0_key");
  }
  if (census.has_states()) {
    QUINTET_TRY(file.states, read_states({.convolution = census.convolution, .recurrence = census.recurrence},
                                         file.metadata, file.shape.positions));
  }
  QUINTET_CHECK(read_layers(description.tensors, census, file));
  QUINTET_CHECK(check_shape_keys(file));
  QUINTET_CHECK(read_token_ids(file));
  return file;
}

ModelDescription describe_cache_file(const CacheFile& file) {
  ModelDescription description;
  description.metadata = file.metadata;
  Json& metadata = description.metadata;
  for (const auto& [key, size] : shape_keys(file)) metadata.set(key, write_natural(file.shape.*size));
  for (const std::string_view key : {kCompression, kLayout, kGroup, kOriginal}) metadata.remove(key);
  const bool packed = file.storage.layout == Layout::packed;
  if (file.storage.layout != Layout::plain) {
    metadata.set(kCompression, kInt4);
    metadata.set(kLayout, packed ? kPacked : kFloat);
    if (file.storage.group != 0) metadata.set(kGroup, write_natural(file.storage.group));
    for (const auto& [dtype, name] : kFloatTypes) {
      if (dtype == file.storage.dtype) metadata.set(kOriginal, name);
    }
  }
  metadata.remove(kTokens);
  if (file.token_ids) metadata.set(kTokens, text_of(*file.token_ids));
  write_checkpoints(file.states, metadata);
  std::vector<TensorInfo>& tensors = description.tensors;
  for (uint64_t layer = 0; layer < file.shape.layers; ++layer) {
    if (file.states.has(layer)) {
      if (file.states.channels != 0) tensors.push_back(tensor_of(file, {.kind = Kind::convolution, .layer = layer}));
      if (file.states.values != 0) tensors.push_back(tensor_of(file, {.kind = Kind::recurrence, .layer = layer}));
    }
    if (!file.has_rows(layer)) continue;
    for (const bool is_value : {false, true}) {
      tensors.push_back(tensor_of(file, {.kind = Kind::values, .layer = layer, .is_value = is_value}));
      if (packed) tensors.push_back(tensor_of(file, {.kind = Kind::scales, .layer = layer, .is_value = is_value}));
    }
  }
  if (file.logits != 0) tensors.push_back(tensor_of(file, {.kind = Kind::logits}));
  return description;
}

}  // namespace quintet::kv
