#include "formats/alt/general_section.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "formats/alt/section.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kGeneralName = "general";
constexpr std::string_view kModelType = "model_type";
constexpr std::string_view kFields[] = {kModelType,      "base_model", "author", "created_at",
                                        "last_modified", "license",    "uuid"};

// Written for unknown values, because the reference reader stops at an empty string (docs/formats/alt.md, "General").
constexpr std::string_view kUnknownText = "unknown";

Result<uint64_t> read_general_fields(Bytes bytes, const Section& section, ModelDescription& description) {
  ByteReader in(bytes, section.fields_at());
  for (const std::string_view field : kFields) {
    QUINTET_TRY(const std::string_view text, read_text(in, field));
    description.metadata.append(field, text);
    if (field == kModelType) description.architecture = text;
  }
  const uint64_t fields = in.offset() - section.fields_at();
  QUINTET_CHECK(check_size(section, fields));
  return fields;
}

Status check_known_metadata(const Json& metadata) {
  for (const auto& [name, value] : *metadata.as_object()) {
    if (std::ranges::find(kFields, name) == std::end(kFields)) {
      std::string names;
      for (const std::string_view field : kFields) names.append(names.empty() ? "" : ", ").append(field);
      return unsupported_error("ALT cannot store the metadata \"{}\"; supported are {}", name, names);
    }
    if (!value.as_string()) return input_error(Reason::malformed, "the metadata \"{}\" is not a string", name);
  }
  return {};
}

}  // namespace

Parse<void> read_general(ByteStream& in, ModelDescription& description) {
  constexpr uint64_t kMin = sizeof(int32_t) * std::size(kFields);
  return read_section(in, kGeneralMarker, kGeneralName, kMin, read_general_fields, description);
}

Status write_general(const Json& metadata, ByteWriter& out) {
  QUINTET_CHECK(check_known_metadata(metadata));
  ByteWriter fields;
  for (const std::string_view field : kFields) {
    const Json* value = metadata.find(field);
    const std::string_view text = value ? std::string_view(*value->as_string()) : kUnknownText;
    fields.put(static_cast<int32_t>(text.size()));
    fields.put_text(text);
  }
  return write_section(out, kGeneralMarker, kGeneralName, fields.bytes(), read_general_fields);
}

}  // namespace quintet::alt
