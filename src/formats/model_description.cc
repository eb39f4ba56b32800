#include "formats/model_description.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checked.h"
#include "base/order.h"
#include "tensor/block_types.h"

namespace quintet {
namespace {

constexpr std::array<std::string_view, 6> kFormatNames = {"weights", "safetensors", "amb",
                                                          "alt",     "tinyruntime", "gguf"};

// The names for AMB.
std::string_view amb_name(Dtype dtype) { return dtype == Dtype::f16 ? "FP16" : dtype == Dtype::bf16 ? "BF16" : "FP32"; }

// The names for ALT and tinyRuntime.
std::string_view plain_name(Dtype dtype) { return dtype == Dtype::f16 ? "float16" : "float32"; }

}  // namespace

std::string_view name_of(Format format) { return kFormatNames[static_cast<size_t>(format)]; }

std::string_view name_of(NetworkKind kind) {
  switch (kind) {
    case NetworkKind::vanilla:
      return "vanilla";
    case NetworkKind::dq8:
      return "dq8";
    case NetworkKind::sq8:
      return "sq8";
  }
  return "";
}

std::optional<NetworkKind> network_kind_named(std::string_view name) {
  for (const NetworkKind kind : {NetworkKind::vanilla, NetworkKind::dq8, NetworkKind::sq8}) {
    if (name == name_of(kind)) return kind;
  }
  return std::nullopt;
}

std::string_view dtype_name(Format format, const TensorInfo& info) {
  if (info.quantized()) return name_of(info.quantization.scheme);
  switch (format) {
    case Format::embd:
      return weights_name_of(info.dtype);
    case Format::amb:
      return amb_name(info.dtype);
    case Format::alt:
    case Format::tinyruntime:
      return plain_name(info.dtype);
    case Format::safetensors:
    case Format::gguf:
      break;
  }
  return name_of(info.dtype);
}

Failure tensor_error_of(Code code, Reason reason, const TensorInfo& info, const char* pattern,
                        const FieldValue* values) {
  return entry_error_of(code, reason, info.offset, info.name, pattern, values);
}

Failure entry_error_of(Code code, Reason reason, uint64_t offset, std::string_view tensor, const char* pattern,
                       const FieldValue* values) {
  return at_offset(in_tensor(fail_with(code, reason, pattern, values), tensor), offset);
}

Failure missing_tensor(std::string_view name, Pattern<0> detail) {
  return in_tensor(fail(Code::format, Reason::missing, detail), name);
}

Status check_in_one_file(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names;
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  const auto twice = find_duplicate(names);
  if (!twice) return {};
  return input_error(Reason::duplicate, "tensor \"{}\" is in two files", tensors[*twice].name);
}

Status add_file(ModelDescription& model, const ModelDescription& file) {
  if (file.format != model.format) {
    return input_error(Reason::mismatch, "a file of format {} among those of a {} model", name_of(file.format),
                       name_of(model.format));
  }
  model.tensors.insert(model.tensors.end(), file.tensors.begin(), file.tensors.end());
  return check_in_one_file(model.tensors);
}

std::string shape_text(const std::vector<uint64_t>& shape) {
  std::string text = "[";
  for (const uint64_t dimension : shape) text += formatted("{}{}", text.size() > 1 ? ", " : "", dimension);
  return text + "]";
}

std::optional<uint64_t> checked_elements(const std::vector<uint64_t>& shape) {
  std::optional<uint64_t> elements = 1;
  for (const uint64_t dimension : shape) elements = elements ? checked_mul(*elements, dimension) : elements;
  return elements;
}

uint64_t TensorInfo::elements() const {
  uint64_t product = 1;
  for (const uint64_t dimension : shape) product *= dimension;
  return product;
}

const TensorInfo* ModelDescription::find_tensor(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
  return found == tensors.end() ? nullptr : &*found;
}

TensorLookup::TensorLookup(const std::vector<TensorInfo>& tensors) {
  by_name_.reserve(tensors.size());
  for (const TensorInfo& info : tensors) by_name_.push_back(&info);
  heap_sort(by_name_, {}, [](const TensorInfo* info) { return std::string_view(info->name); });
}

const TensorInfo* TensorLookup::find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(by_name_, name, {}, [](const TensorInfo* info) { return std::string_view(info->name); });
  return found != by_name_.end() && (*found)->name == name ? *found : nullptr;
}

}  // namespace quintet
