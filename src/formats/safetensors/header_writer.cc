#include "formats/safetensors/header_writer.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "base/byte_writer.h"
#include "base/checked.h"
#include "base/duplicates.h"
#include "base/json.h"
#include "base/order.h"
#include "formats/safetensors/layout.h"

namespace quintet::safetensors {
namespace {

Status check_names(const std::vector<TensorInfo>& tensors) {
  std::vector<std::string_view> names = {kMetadataName};
  for (const TensorInfo& info : tensors) names.push_back(info.name);
  const auto twice = find_duplicate(names);
  if (!twice) return {};
  return input_error(Reason::duplicate, "tensor name \"" + std::string(names[*twice]) + "\" is taken");
}

// Offsets are those within the data.
Status place(std::vector<TensorInfo>& tensors) {
  heap_sort(tensors, {}, [](const TensorInfo& info) {
    return std::tuple(-static_cast<int>(bits_of(info.dtype)), std::string_view(info.name));
  });
  uint64_t end = 0;
  for (TensorInfo& info : tensors) {
    std::optional<uint64_t> elements = 1;
    for (const uint64_t dimension : info.shape) elements = elements ? checked_mul(*elements, dimension) : elements;
    const auto bytes = elements ? bytes_of(info.dtype, *elements) : std::nullopt;
    const auto next = bytes ? checked_add(end, *bytes) : std::nullopt;
    if (!next) return input_error(Reason::limit, "the shape of tensor \"" + info.name + "\"");
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

Status check_metadata(const Json& metadata) {
  for (const Json::Member& member : *metadata.as_object()) {
    if (!member.value.as_string()) return input_error(Reason::malformed, "metadata \"" + member.name + "\" is no text");
  }
  return {};
}

}  // namespace

Result<std::vector<std::byte>> write_header(ModelDescription& description) {
  QUINTET_CHECK(check_metadata(description.metadata));
  QUINTET_CHECK(check_names(description.tensors));
  QUINTET_CHECK(place(description.tensors));
  Json header = Json::object();
  if (!description.metadata.as_object()->empty()) header.append(std::string(kMetadataName), description.metadata);
  for (const TensorInfo& info : description.tensors) header.append(info.name, entry(info));
  std::string text = write_json(header);
  text.resize(static_cast<size_t>(align_up(text.size(), kHeaderAlignment)), ' ');
  if (text.size() > kMaxHeaderBytes) return input_error(Reason::limit, "more tensors than a header may tell");

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
