#include "formats/gguf/tensor_index.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/decimal.h"
#include "base/order.h"
#include "formats/gguf/layout.h"
#include "formats/gguf/values.h"
#include "tensor/block_types.h"
#include "tensor/codecs/payload.h"

namespace quintet::gguf {
namespace {

struct PlainType {
  uint32_t number;
  Dtype dtype;
};
constexpr PlainType kPlainTypes[] = {
    {0, Dtype::f32},  {1, Dtype::f16},  {30, Dtype::bf16}, {24, Dtype::i8},
    {25, Dtype::i16}, {26, Dtype::i32}, {27, Dtype::i64},  {28, Dtype::f64},
};

constexpr auto& kNames = kBlockTypeColumn<&BlockType::name>;
constexpr auto& kNumbers = kBlockTypeColumn<&BlockType::ggml>;

void add_name(std::string_view name, std::string& names) {
  if (!names.empty()) names += ", ";
  names += name;
}

std::string decoded_names() {
  std::string names;
  for (const PlainType& plain : kPlainTypes) add_name(name_of(plain.dtype), names);
  for (size_t i = 0; i < kSchemes; ++i) {
    if (kNumbers[i] != kNoNumber) add_name(kNames[i], names);
  }
  return names;
}

// Larger than any disk, and far enough below 2^64 to add padding.
constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 60;

// In the file, the innermost dimension is first.
Parse<std::vector<uint64_t>> read_shape(ByteStream& in) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes number, co_await in.bytes(sizeof(uint32_t)));
  const auto dimensions = load_le<uint32_t>(number, 0);
  if (dimensions > kMaxDimensions) {
    co_return format_error(Reason::limit, at, "{} dimensions, at most 4 are supported", dimensions);
  }
  QUINTET_CO_TRY(const Bytes sizes, co_await in.bytes(dimensions * sizeof(uint64_t)));
  std::vector<uint64_t> shape(dimensions);
  for (size_t d = 0; d < dimensions; ++d) {
    const uint64_t size = load_le<uint64_t>(sizes, d * sizeof(uint64_t));
    if (size == 0) {
      co_return format_error(Reason::malformed, at + sizeof(uint32_t) + d * sizeof(uint64_t), "a dimension of 0");
    }
    shape[dimensions - 1 - d] = size;
  }
  co_return shape;
}

// `at` is the position of the dimensions.
Status set_size(const GgmlType& type, uint64_t at, TensorInfo& info) {
  const uint64_t row = info.shape.empty() ? 1 : info.shape.back();
  if (row % type.block != 0) {
    return format_error(Reason::malformed, at, "rows of {} values do not fill blocks of {}", row, type.block);
  }
  const std::optional<uint64_t> elements = checked_elements(info.shape);
  const auto size = elements ? payload_size(info.dtype, info.quantization, *elements) : std::nullopt;
  if (!size || size->data > kMaxTensorBytes) return format_error(Reason::limit, at, "a shape larger than any file");
  info.bytes = size->data;
  return {};
}

// Everything but the name.
Parse<void> read_entry(ByteStream& in, TensorInfo& info, EntryPlaces& places) {
  places.dimensions = in.offset();
  QUINTET_CO_TRY(info.shape, co_await read_shape(in));
  const uint64_t type_place = in.offset();
  QUINTET_CO_TRY(const Bytes number, co_await in.bytes(kTypeBytes));
  Result<GgmlType> type = ggml_type(load_le<uint32_t>(number, 0));
  if (!type) co_return at_offset(failure_of(std::move(type)), type_place);
  info.dtype = type->dtype;
  info.quantization.scheme = type->scheme;
  QUINTET_CO_CHECK(set_size(*type, places.dimensions, info));
  places.offset = in.offset();
  QUINTET_CO_TRY(const Bytes offset, co_await in.bytes(sizeof(uint64_t)));
  info.offset = load_le<uint64_t>(offset, 0);
  co_return Status();
}

Status check_unique(const TensorIndex& index) {
  std::vector<std::string_view> names;
  names.reserve(index.tensors.size());
  for (const TensorInfo& info : index.tensors) names.push_back(info.name);
  const std::optional<size_t> twice = find_duplicate(names);
  if (!twice) return {};
  return entry_error(Code::format, Reason::duplicate, index.places[*twice].name, names[*twice],
                     "two tensors with the same name");
}

Status check_offset(uint64_t offset, uint64_t expected, uint64_t alignment, uint64_t at) {
  if (offset == expected) return {};
  const std::string is = formatted("data at {}", offset);
  if (offset % alignment != 0) {
    return format_error(Reason::malformed, at, "{} is not aligned to {}", is, alignment);
  }
  if (offset < expected) return format_error(Reason::malformed, at, "{} overlaps that of the previous tensor", is);
  return format_error(Reason::malformed, at, "{} leaves a gap from {}", is, expected);
}

}  // namespace

Result<GgmlType> ggml_type(uint32_t number) {
  for (const PlainType& plain : kPlainTypes) {
    if (plain.number == number) return GgmlType{.dtype = plain.dtype};
  }
  std::string_view name = "unknown";
  for (size_t i = 0; i < kNumbers.size(); ++i) {
    if (int64_t{kNumbers[i]} != number) continue;
    name = kNames[i];
    if (i >= kSchemes) break;
    const auto scheme = static_cast<Scheme>(i);
    return GgmlType{.dtype = Dtype::f32, .scheme = scheme, .block = layout_of(scheme).values};
  }
  return unsupported_error("tensor type {} ({}); supported are {}", number, name, decoded_names());
}

Parse<TensorIndex> read_tensor_index(ByteStream& in, uint64_t count) {
  TensorIndex index;
  for (uint64_t i = 0; i < count; ++i) {
    EntryPlaces places{.name = in.offset() + kLengthBytes};
    TensorInfo info;
    QUINTET_CO_TRY(info.name, co_await read_string(in));
    if (info.name.empty())
      co_return format_error(Reason::malformed, in.offset() - kLengthBytes, "a tensor without a name");
    Status status = co_await read_entry(in, info, places);
    if (!status) co_return in_tensor(failure_of(std::move(status)), info.name);
    index.tensors.push_back(std::move(info));
    index.places.push_back(places);
  }
  QUINTET_CO_CHECK(check_unique(index));
  co_return index;
}

Status place_tensors(TensorIndex& index, uint64_t data_begin, uint64_t alignment) {
  uint64_t expected = 0;
  for (size_t i = 0; i < index.tensors.size(); ++i) {
    TensorInfo& info = index.tensors[i];
    Status status = check_offset(info.offset, expected, alignment, index.places[i].offset);
    if (status && expected > kMaxTensorBytes) {
      status = format_error(Reason::limit, index.places[i].dimensions, "tensors larger than any file");
    }
    if (!status) return in_tensor(failure_of(std::move(status)), info.name);
    expected = align_up(info.offset + info.bytes, alignment);
    info.offset += data_begin;
  }
  return {};
}

void split_stacks(std::vector<TensorInfo>& tensors) {
  constexpr std::string_view kSuffix = ".weight";
  constexpr uint64_t kStacked = 3;  // one for each stream but the first
  std::vector<TensorInfo> split;
  for (TensorInfo& info : tensors) {
    const bool is_stack = info.name == "altup_proj.weight" || info.name == "altup_unembd_proj.weight";
    if (!is_stack || info.shape.size() != 3 || info.shape[0] != kStacked) {
      split.push_back(std::move(info));
      continue;
    }
    TensorInfo part = info;
    part.shape.erase(part.shape.begin());
    part.bytes = info.bytes / kStacked;
    for (uint64_t i = 0; i < kStacked; ++i) {
      part.name = info.name;
      part.name.insert(part.name.size() - kSuffix.size(), '.' + write_natural(i));
      split.push_back(part);
      part.offset += part.bytes;
    }
  }
  tensors = std::move(split);
}

}  // namespace quintet::gguf
