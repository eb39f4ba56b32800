#include "runtime/convert/convert_options.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace quintet {
namespace {

constexpr std::array<std::pair<std::string_view, Quantize>, 5> kQuantizeNames = {{
    {"none", Quantize::none},
    {"f16", Quantize::f16},
    {"bf16", Quantize::bf16},
    {"int8-row", Quantize::int8_row},
    {"int8-group", Quantize::int8_group},
}};

std::unexpected<Error> unsupported(std::string_view name, const Json& value) {
  return unsupported_error("option " + std::string(name) + ": " + write_json(value) + " is not supported");
}

Status read_target(const Json& value) {
  const std::string* text = value.as_string();
  if (text && *text == "weights") return {};
  return unsupported("to", value);
}

Result<Quantize> read_quantize(const Json& value) {
  const std::string* text = value.as_string();
  for (const auto& [name, quantize] : kQuantizeNames) {
    if (text && *text == name) return quantize;
  }
  return unsupported("quantize", value);
}

Result<uint64_t> read_group_size(const Json& value) {
  const auto size = value.as_uint();
  if (size && *size > 0) return *size;
  return input_error(Reason::out_of_range, "option groupSize: " + write_json(value) + " is no positive integer");
}

// Metadata of a .weights file is text; numbers and truth values are written as such.
Result<Json> read_metadata(const Json& value) {
  const Json::Object* members = value.as_object();
  if (!members) return input_error(Reason::malformed, "option metadata is no object");
  Json metadata = Json::object();
  for (const Json::Member& member : *members) {
    if (member.value.as_object() || member.value.as_array()) {
      return input_error(Reason::malformed, "option metadata: \"" + member.name + "\" is no text");
    }
    const bool is_text = member.value.as_string() || member.value.is_null();
    metadata.append(member.name, is_text ? member.value : Json(write_json(member.value)));
  }
  return metadata;
}

}  // namespace

Result<ConvertOptions> read_convert_options(std::string_view json) {
  auto parsed = parse_json(json);
  if (!parsed || !parsed->as_object()) return input_error(Reason::malformed, "the options are no JSON object");
  ConvertOptions options;
  bool grouped = false;
  for (const auto& [name, value] : *parsed->as_object()) {
    if (name == "to") {
      QUINTET_CHECK(read_target(value));
    } else if (name == "quantize") {
      QUINTET_TRY(options.quantize, read_quantize(value));
    } else if (name == "groupSize") {
      QUINTET_TRY(options.group_size, read_group_size(value));
      grouped = true;
    } else if (name == "metadata") {
      QUINTET_TRY(options.metadata, read_metadata(value));
    } else {
      return input_error(Reason::unknown_value, "option " + name + " has no meaning for .weights");
    }
  }
  if (grouped && options.quantize != Quantize::int8_group) {
    return input_error(Reason::mismatch, "option groupSize is for quantize: \"int8-group\"");
  }
  return options;
}

}  // namespace quintet
