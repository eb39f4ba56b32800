#include "formats/safetensors/header.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "base/byte_writer.h"
#include "base/checked.h"
#include "base/json.h"
#include "base/order.h"

namespace quintet::safetensors {
namespace {

// Points to the start of the header; place_in_text() finds the entry.
template <class... Values>
QUINTET_INLINE Failure wrong_entry(std::string_view name, Reason reason, Pattern<sizeof...(Values)> detail,
                                   const Values&... values) {
  return entry_error(Code::format, reason, kLengthBytes, name, detail, values...);
}

Status check_metadata(const Json& metadata) {
  if (!metadata.as_object()) {
    return format_error(Reason::malformed, kLengthBytes, "__metadata__ is not an object");
  }
  for (const Json::Member& member : *metadata.as_object()) {
    if (member.value.as_string()) continue;
    return format_error(Reason::malformed, kLengthBytes, "__metadata__ \"{}\" is not a string", member.name);
  }
  return {};
}

Result<Dtype> read_dtype(std::string_view name, const Json* value) {
  if (!value) return wrong_entry(name, Reason::missing, "its dtype is missing");
  const std::string* text = value->as_string();
  if (!text) return wrong_entry(name, Reason::malformed, "its dtype is not a string");
  const std::optional<Dtype> dtype = dtype_named(*text);
  if (dtype) return *dtype;
  return entry_error(Code::unsupported, Reason::unknown_value, kLengthBytes, name, "data type \"{}\"",
                     text->substr(0, 32));
}

Result<std::vector<uint64_t>> read_numbers(std::string_view name, const Json* value, std::string_view what) {
  if (!value) return wrong_entry(name, Reason::missing, "no {}", what);
  if (!value->as_array()) return wrong_entry(name, Reason::malformed, "{} is not an array", what);
  std::vector<uint64_t> numbers;
  for (const Json& element : *value->as_array()) {
    const auto number = element.as_uint();
    if (!number) {
      return wrong_entry(name, Reason::malformed, "{} may only contain natural numbers", what);
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Status check_fields(std::string_view name, const Json::Object& fields) {
  for (const Json::Member& field : fields) {
    if (field.name == "dtype" || field.name == "shape" || field.name == "data_offsets") continue;
    return wrong_entry(name, Reason::unknown_value, "unknown field \"{}\", expected dtype, shape and data_offsets",
                       field.name);
  }
  return {};
}

// Offsets stay relative to the data until all were checked.
Result<TensorInfo> read_entry(const Json::Member& member) {
  const std::string_view name = member.name;
  if (!member.value.as_object()) return wrong_entry(name, Reason::malformed, "its entry is not an object");
  QUINTET_CHECK(check_fields(name, *member.value.as_object()));
  TensorInfo info;
  info.name = name;
  QUINTET_TRY(info.dtype, read_dtype(name, member.value.find("dtype")));
  QUINTET_TRY(info.shape, read_numbers(name, member.value.find("shape"), "shape"));
  QUINTET_TRY(const auto range, read_numbers(name, member.value.find("data_offsets"), "data_offsets"));
  if (range.size() != 2 || range[0] > range[1]) {
    return wrong_entry(name, Reason::malformed, "data_offsets must be a begin and an end");
  }
  const std::optional<uint64_t> elements = checked_elements(info.shape);
  if (!elements) return wrong_entry(name, Reason::limit, "a shape whose product does not fit 64 bits");
  if (bytes_of(info.dtype, *elements) != range[1] - range[0]) {
    return wrong_entry(name, Reason::mismatch, "{} bytes of data do not match its shape and dtype",
                       range[1] - range[0]);
  }
  info.offset = range[0];
  info.bytes = range[1] - range[0];
  return info;
}

// In the order of the data, each tensor must start where the previous one ends.
Status check_coverage(const std::vector<TensorInfo>& tensors) {
  uint64_t end = 0;
  for (const TensorInfo& info : tensors) {
    if (info.offset < end) return wrong_entry(info.name, Reason::malformed, "its data overlaps that of another tensor");
    if (info.offset > end) {
      return wrong_entry(info.name, Reason::malformed, "its data begins at {}, which leaves a gap from {}", info.offset,
                         end);
    }
    end = info.offset + info.bytes;
  }
  return {};
}

Result<Json> parse_object(std::string_view text) {
  auto parsed = parse_json(text, kLengthBytes);
  if (parsed) return parsed;
  // JSON that ends too early, or before its bytes do, has a different length than the file states.
  Error& error = parsed.error();
  const bool wrong_length = error.reason == Reason::trailing || error.offset == kLengthBytes + text.size();
  if (wrong_length) error.offset = 0;
  return parsed;
}

Result<ModelDescription> read_entries(std::string_view text) {
  if (!text.starts_with('{')) return format_error(Reason::malformed, kLengthBytes, "the header does not begin with {");
  QUINTET_TRY(const Json header, parse_object(text));
  ModelDescription description;
  description.format = Format::safetensors;
  description.kind = "safetensors";
  for (const Json::Member& member : *header.as_object()) {
    if (member.name == kMetadataName) {
      QUINTET_CHECK(check_metadata(member.value));
      description.metadata = member.value;
      continue;
    }
    QUINTET_TRY(TensorInfo info, read_entry(member));
    description.tensors.push_back(std::move(info));
  }
  heap_sort(description.tensors, {},
            [](const TensorInfo& info) { return std::tuple(info.offset, info.bytes, std::string_view(info.name)); });
  QUINTET_CHECK(check_coverage(description.tensors));
  for (TensorInfo& info : description.tensors) info.offset += kLengthBytes + text.size();
  return description;
}

// The positions of values are not kept: an error about a tensor points to its name.
void place_in_text(Error& error, std::string_view text) {
  if (error.tensor.empty()) return;
  const size_t at = text.find('"' + error.tensor + '"');
  if (at != std::string_view::npos) error.offset = kLengthBytes + at;
}

Status check_names(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names = {kMetadataName};
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  const auto twice = find_duplicate(names);
  if (!twice) return {};
  return input_error(Reason::duplicate, "tensor name \"{}\" occurs twice", names[*twice]);
}

// Offsets are relative to the data.
Status place(std::vector<TensorInfo>& tensors) {
  heap_sort(tensors, {}, [](const TensorInfo& info) {
    return std::tuple(-static_cast<int>(bits_of(info.dtype)), std::string_view(info.name));
  });
  uint64_t end = 0;
  for (TensorInfo& info : tensors) {
    const std::optional<uint64_t> elements = checked_elements(info.shape);
    const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
    const auto next = bytes ? checked_add(end, *bytes) : std::nullopt;
    if (!next) return input_error(Reason::limit, "the shape of tensor \"{}\" is too large", info.name);
    info.bytes = *bytes;
    info.offset = end;
    end = *next;
  }
  return {};
}

Json entry(const TensorInfo& info) {
  Json shape = Json::array();
  for (const uint64_t dimension : info.shape) shape.push_back(dimension);
  Json range = Json::array();
  range.push_back(info.offset);
  range.push_back(info.offset + info.bytes);
  Json json = Json::object();
  json.append("dtype", name_of(info.dtype));
  json.append("shape", std::move(shape));
  json.append("data_offsets", std::move(range));
  return json;
}

Status check_given_metadata(const Json& metadata) {
  for (const Json::Member& member : *metadata.as_object()) {
    if (!member.value.as_string())
      return input_error(Reason::malformed, "metadata \"{}\" is not a string", member.name);
  }
  return {};
}

}  // namespace

uint64_t data_bytes(const ModelDescription& description) {
  uint64_t bytes = 0;
  for (const TensorInfo& info : description.tensors) bytes += info.bytes;
  return bytes;
}

Result<ModelDescription> read_header(std::string_view text) {
  auto description = read_entries(text);
  if (!description) place_in_text(description.error(), text);
  return description;
}

Result<std::vector<std::byte>> write_header(ModelDescription& description) {
  QUINTET_CHECK(check_given_metadata(description.metadata));
  QUINTET_CHECK(check_names(description.tensors));
  QUINTET_CHECK(place(description.tensors));
  Json header = Json::object();
  if (!description.metadata.as_object()->empty()) header.append(kMetadataName, description.metadata);
  for (const TensorInfo& info : description.tensors) header.append(info.name, entry(info));
  std::string text = write_json(header);
  text.resize(static_cast<size_t>(align_up(text.size(), kHeaderAlignment)), ' ');
  if (text.size() > kMaxHeaderBytes) {
    return input_error(Reason::limit, "too many tensors for a header of at most 100 MB");
  }

  ByteWriter out;
  out.put(uint64_t{text.size()});
  out.put_text(text);
  uint64_t data_bytes = 0;
  for (TensorInfo& info : description.tensors) {
    info.offset += out.size();
    data_bytes += info.bytes;
  }
  description.format = Format::safetensors;
  description.kind = "safetensors";
  description.file_size = out.size() + data_bytes;
  return out.take();
}

}  // namespace quintet::safetensors
