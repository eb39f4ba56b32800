#include "formats/model_description.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/order.h"

namespace quintet {
namespace {

constexpr std::array<std::string_view, 6> kFormatNames = {"weights", "safetensors", "amb",
                                                          "alt",     "tinyruntime", "gguf"};

std::string_view scheme_name(Scheme scheme) {
  switch (scheme) {
    case Scheme::none:
      break;
    case Scheme::int8:
      return "INT8";
    case Scheme::int4:
      return "INT4";
    case Scheme::int5:
      return "INT5";
    case Scheme::int4_block:
      return "INT4BLOCK";
    case Scheme::int5_block:
      return "INT5BLOCK";
    case Scheme::adaptive:
      return "ADAPTIVE";
    case Scheme::qint8:
      return "qint8";
    case Scheme::qint4:
    case Scheme::qint4_packed:
      return "qint4";
    case Scheme::group_int8:
    case Scheme::tensor_int8:
      return "int8";
    case Scheme::tensor_int32:
      return "int32";
    case Scheme::q4_0:
      return "Q4_0";
    case Scheme::q4_1:
      return "Q4_1";
    case Scheme::q5_0:
      return "Q5_0";
    case Scheme::q5_1:
      return "Q5_1";
    case Scheme::q8_0:
      return "Q8_0";
    case Scheme::q4_k:
      return "Q4_K";
    case Scheme::q5_k:
      return "Q5_K";
    case Scheme::q6_k:
      return "Q6_K";
  }
  return "";
}

// AMB knows these three.
std::string_view amb_name(Dtype dtype) { return dtype == Dtype::f16 ? "FP16" : dtype == Dtype::bf16 ? "BF16" : "FP32"; }

// ALT and tinyRuntime know these two.
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
  if (info.quantized()) return scheme_name(info.quantization.scheme);
  switch (format) {
    case Format::weights:
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

std::unexpected<Error> tensor_error(Code code, Reason reason, const TensorInfo& info, std::string detail) {
  return fail(
      {.code = code, .reason = reason, .detail = std::move(detail), .offset = info.offset, .tensor = info.name});
}

std::unexpected<Error> missing_tensor(std::string name, std::string detail) {
  return fail(
      {.code = Code::format, .reason = Reason::missing, .detail = std::move(detail), .tensor = std::move(name)});
}

std::string shape_text(const std::vector<uint64_t>& shape) {
  std::string text = "[";
  for (const uint64_t dimension : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(dimension);
  return text + "]";
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
