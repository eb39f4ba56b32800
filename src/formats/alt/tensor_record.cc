#include "formats/alt/tensor_record.h"

#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/utf8.h"
#include "tensor/codecs/payload.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kBlockPrefix = "model.layers.";

constexpr TensorKind kKinds[] = {
    {0, 3, 0, 1, "input_layernorm.weight"},  {0, 1, 1, 2, "self_attn.q_proj.weight"},
    {0, 1, 2, 2, "self_attn.k_proj.weight"}, {0, 1, 3, 2, "self_attn.v_proj.weight"},
    {0, 1, 4, 2, "self_attn.o_proj.weight"}, {0, 4, 0, 1, "post_attention_layernorm.weight"},
    {0, 2, 5, 2, "mlp.gate_proj.weight"},    {0, 2, 6, 2, "mlp.up_proj.weight"},
    {0, 2, 7, 2, "mlp.down_proj.weight"},    {1, 0, 0, 2, "model.embed_tokens.weight"},
    {2, 0, 0, 2, "lm_head.weight"},          {3, 0, 0, 1, "model.norm.weight"},
};

// Removes a decimal number below 2^31 without leading zeros, and the dot after it, from the front of `text`.
std::optional<int32_t> take_block(std::string_view& text) {
  int64_t value = 0;
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (text[digits++] - '0');
    if (value > INT32_MAX) return std::nullopt;
  }
  if (digits == 0 || (text[0] == '0' && digits > 1) || !text.substr(digits).starts_with('.')) return std::nullopt;
  text.remove_prefix(digits + 1);
  return static_cast<int32_t>(value);
}

// The numbers of the data types (docs/formats/alt.md).
enum : int32_t { kFloat32, kFloat16, kQint8, kQint4 };

// Sets the type for a number; false for an unknown number.
bool set_data_type(int32_t number, TensorInfo& info) {
  switch (number) {
    case kFloat32:
      info.dtype = Dtype::f32;
      return true;
    case kFloat16:
      info.dtype = Dtype::f16;
      return true;
    case kQint8:
      info.quantization.scheme = Scheme::qint8;
      return true;
    case kQint4:
      info.quantization.scheme = Scheme::qint4;
      return true;
    default:
      return false;
  }
}

// One or two 4-bit values per byte; false if the flag is not valid for the type.
bool set_packing(int8_t flag, TensorInfo& info) {
  if (flag == 0) return true;
  if (flag != 1 || info.quantization.scheme != Scheme::qint4) return false;
  info.quantization.scheme = Scheme::qint4_packed;
  return true;
}

// The number of a type; nothing if the format does not have it.
std::optional<int32_t> data_type(const TensorInfo& info) {
  switch (info.quantization.scheme) {
    case Scheme::none:
      if (info.dtype == Dtype::f32) return kFloat32;
      if (info.dtype == Dtype::f16) return kFloat16;
      return std::nullopt;
    case Scheme::qint8:
      return kQint8;
    case Scheme::qint4:
    case Scheme::qint4_packed:
      return kQint4;
    default:
      return std::nullopt;
  }
}

// Positions in a record.
constexpr uint64_t kComponentAt = 0, kBlockAt = 4, kLayerAt = 8, kProjectionAt = 12;

struct Numbers {
  const TensorKind* kind = nullptr;
  int32_t block = 0;
};

Result<Numbers> read_numbers(ByteReader& in) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto component, in.read<int32_t>());
  QUINTET_TRY(const auto block, in.read<int32_t>());
  QUINTET_TRY(const auto layer, in.read<int32_t>());
  QUINTET_TRY(const auto projection, in.read<int32_t>());
  const TensorKind* kind = find_kind(component, layer, projection);
  if (kind) return Numbers{kind, block};
  return format_error(Reason::unknown_value, at, "no tensor has component {}, layer {}, projection {}", component,
                      layer, projection);
}

Result<std::vector<uint64_t>> read_shape(ByteReader& in, uint32_t rank) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto dimensions, in.read<int32_t>());
  if (dimensions != static_cast<int32_t>(rank)) {
    return format_error(Reason::mismatch, at, "{} dimensions, but a tensor of this kind has {}", dimensions, rank);
  }
  std::vector<uint64_t> shape;
  for (uint32_t i = 0; i < rank; ++i) {
    const uint64_t dimension_at = in.offset();
    QUINTET_TRY(const auto dimension, in.read<int32_t>());
    if (dimension <= 0) return format_error(Reason::limit, dimension_at, "a dimension of {}", dimension);
    shape.push_back(static_cast<uint64_t>(dimension));
  }
  return shape;
}

Result<std::string_view> read_name(ByteReader& in) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto length, in.read<int32_t>());
  if (length <= 0 || static_cast<uint64_t>(length) > kMaxNameBytes) {
    return format_error(Reason::limit, at, "a name of {} bytes", length);
  }
  const uint64_t name_at = in.offset();
  QUINTET_TRY(const Bytes bytes, in.bytes(static_cast<uint32_t>(length)));
  if (const auto bad = find_invalid_utf8(as_text(bytes))) {
    return format_error(Reason::invalid_utf8, name_at + *bad, "a tensor's name is not UTF-8");
  }
  return as_text(bytes);
}

// The name determines the kind of the tensor (docs/formats/alt.md); the numbers must agree.
Status check_name(std::string_view name, uint64_t name_at, const Numbers& numbers, uint64_t record_at) {
  const auto place = place_of(name);
  if (!place) return unsupported_at(name_at, "ALT has no tensor with that name, only those of Llama models");
  const auto contradiction = [&](uint64_t at, std::string_view what) {
    return format_error(Reason::mismatch, record_at + at, "the {} contradicts the name", what);
  };
  if (place->kind->component != numbers.kind->component) return contradiction(kComponentAt, "component type");
  if (place->block != numbers.block) return contradiction(kBlockAt, "block index");
  if (place->kind->layer != numbers.kind->layer) return contradiction(kLayerAt, "layer type");
  if (place->kind != numbers.kind) return contradiction(kProjectionAt, "projection type");
  return {};
}

Status read_type(ByteReader& in, TensorInfo& info) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto type, in.read<int32_t>());
  QUINTET_TRY(const auto delta, in.read<float>());
  QUINTET_TRY(const auto min, in.read<float>());
  QUINTET_TRY(const auto max, in.read<float>());
  const uint64_t packing_at = in.offset();
  QUINTET_TRY(const auto packing, in.read<int8_t>());
  if (!set_data_type(type, info))
    return unsupported_at(at, "data type {}; supported are 0 (float32), 1 (float16), 2 (qint8) and 3 (qint4)", type);
  if (!set_packing(packing, info)) {
    return unsupported_at(packing_at, "packing flag {} of a {} tensor; supported are 0 and, for qint4, 1", packing,
                          dtype_name(Format::alt, info));
  }
  if (info.quantized()) {
    info.quantization.delta = delta;
    info.quantization.min = min;
    info.quantization.max = max;
    info.quantization.asymmetric = min != 0 || max != 0;
  }
  return {};
}

Status read_named_part(ByteReader& in, uint64_t at, const Numbers& numbers, TensorInfo& info) {
  QUINTET_CHECK(check_name(info.name, in.offset() - info.name.size(), numbers, at));
  QUINTET_CHECK(read_type(in, info));
  const auto size = payload_size(info.dtype, info.quantization, info.elements());
  if (!size) return format_error(Reason::limit, at + kNumbersBytes, "the shape has too many elements");
  info.bytes = size->data;
  info.offset = in.offset();
  return {};
}

Status check_shape(const TensorInfo& info, const TensorKind& kind) {
  if (info.shape.size() != kind.rank) {
    return unsupported_error("ALT stores this tensor with {} dimensions, not {}", kind.rank, info.shape.size());
  }
  for (const uint64_t dimension : info.shape) {
    if (dimension == 0 || dimension > INT32_MAX) {
      return unsupported_error("ALT stores dimensions from 1 to 2147483647, not {}", dimension);
    }
  }
  return {};
}

Status plan(TensorInfo& info) {
  const auto place = place_of(info.name);
  if (!place) return unsupported_error("ALT has no tensor with the name \"{}\", only those of Llama models", info.name);
  QUINTET_CHECK(check_shape(info, *place->kind));
  if (!data_type(info)) {
    return unsupported_error("ALT has no type for \"{}\"; supported are float32, float16, qint8 and qint4", info.name);
  }
  const auto size = payload_size(info.dtype, info.quantization, info.elements());
  if (!size) return unsupported_error("\"{}\" has too many elements", info.name);
  info.bytes = size->data;
  return {};
}

}  // namespace

const TensorKind* find_kind(int32_t component, int32_t layer, int32_t projection) {
  for (const TensorKind& kind : kKinds) {
    if (kind.component == component && kind.layer == layer && kind.projection == projection) return &kind;
  }
  return nullptr;
}

std::optional<TensorPlace> place_of(std::string_view name) {
  std::optional<int32_t> block;
  if (name.starts_with(kBlockPrefix)) {
    name.remove_prefix(kBlockPrefix.size());
    block = take_block(name);
    if (!block) return std::nullopt;
  }
  for (const TensorKind& kind : kKinds) {
    if (kind.name == name && kind.in_block() == block.has_value()) {
      return TensorPlace{&kind, block.value_or(-kind.component)};
    }
  }
  return std::nullopt;
}

Result<TensorInfo> read_record(Bytes bytes, uint64_t at) {
  ByteReader in(bytes, at);
  TensorInfo info;
  QUINTET_TRY(const Numbers numbers, read_numbers(in));
  QUINTET_TRY(info.shape, read_shape(in, numbers.kind->rank));
  QUINTET_TRY(info.name, read_name(in));
  if (Status status = read_named_part(in, at, numbers, info); !status) {
    return in_tensor(failure_of(std::move(status)), info.name);
  }
  return info;
}

Result<uint64_t> plan_record(TensorInfo& info) {
  if (Status status = plan(info); !status) return in_tensor(failure_of(std::move(status)), info.name);
  return kNumbersBytes + kDimensionBytes * info.shape.size() + kNameLengthBytes + info.name.size() + kTypeBytes;
}

void write_record(const TensorInfo& info, ByteWriter& out) {
  const TensorPlace place = *place_of(info.name);
  out.put(place.kind->component);
  out.put(place.block);
  out.put(place.kind->layer);
  out.put(place.kind->projection);
  out.put(static_cast<int32_t>(info.shape.size()));
  for (const uint64_t dimension : info.shape) out.put(static_cast<int32_t>(dimension));
  out.put(static_cast<int32_t>(info.name.size()));
  out.put_text(info.name);
  out.put(*data_type(info));
  const Quantization& quantization = info.quantization;
  out.put(info.quantized() ? quantization.delta : 0.0F);
  out.put(quantization.asymmetric ? quantization.min : 0.0F);
  out.put(quantization.asymmetric ? quantization.max : 0.0F);
  out.put(static_cast<int8_t>(quantization.scheme == Scheme::qint4_packed));
}

}  // namespace quintet::alt
