#include "runtime/convert/convert_options.h"

#include <string>

#include "formats/detect.h"

namespace quintet {
namespace {

// The targets that support a quantization.
constexpr uint8_t kAmb = 1, kAlt = 2, kWeights = 4, kTinyRuntime = 8, kSafetensors = 16;

struct QuantizeName {
  std::string_view name;
  Quantize quantize;
  uint8_t targets;
};
constexpr QuantizeName kQuantizeNames[] = {
    {"none", Quantize::none, kAmb | kAlt | kWeights | kTinyRuntime | kSafetensors},
    {"f16", Quantize::f16, kAmb | kAlt | kWeights | kSafetensors},
    {"bf16", Quantize::bf16, kAmb | kWeights | kSafetensors},
    {"int8", Quantize::int8, kAmb | kAlt | kSafetensors},
    {"int4", Quantize::int4, kAmb | kAlt},
    {"int5", Quantize::int5, kAmb},
    {"int4block", Quantize::int4_block, kAmb},
    {"int5block", Quantize::int5_block, kAmb},
    {"adaptive", Quantize::adaptive, kAmb},
    {"int8-row", Quantize::int8_row, kWeights},
    {"int8-group", Quantize::int8_group, kWeights},
    {"dq8", Quantize::dq8, kTinyRuntime},
    {"dq8-symmetric", Quantize::dq8_symmetric, kTinyRuntime},
    {"sq8", Quantize::sq8, kTinyRuntime},
};

uint8_t target_bit(Format format) {
  switch (format) {
    case Format::amb:
      return kAmb;
    case Format::alt:
      return kAlt;
    case Format::embd:
      return kWeights;
    case Format::tinyruntime:
      return kTinyRuntime;
    case Format::safetensors:
      return kSafetensors;
    case Format::gguf:
      break;
  }
  return 0;
}

Failure wrong(std::string_view option, const Json& value, std::string_view expected) {
  return input_error(Reason::out_of_range, "option {}: {} is not {}", option, write_json(value), expected);
}

Failure unsupported(std::string_view option, const Json& value, const std::string& supported) {
  return unsupported_error("option {}: {}; supported {}", option, write_json(value), supported);
}

// The quantizations that a target supports.
std::string names_for(Format to) {
  std::string names;
  for (const QuantizeName& entry : kQuantizeNames) {
    if ((entry.targets & target_bit(to)) != 0) names.append(names.empty() ? "" : ", ").append(entry.name);
  }
  return names;
}

Result<Format> read_target(const Json& value) {
  const std::string* text = value.as_string();
  const auto format = text ? format_named(*text) : std::nullopt;
  if (format && *format != Format::gguf) return *format;
  return unsupported("to", value, "are weights, safetensors, amb, alt and tinyruntime");
}

Result<Quantize> read_quantize(const Json& value, Format to) {
  const std::string* text = value.as_string();
  for (const QuantizeName& entry : kQuantizeNames) {
    if (text && *text == entry.name && (entry.targets & target_bit(to)) != 0) return entry.quantize;
  }
  return unsupported("quantize", value, formatted("for {} are {}", name_of(to), names_for(to)));
}

// Metadata values of all formats except AMB are strings; numbers and booleans are converted.
Result<Json> read_metadata(const Json& value, Format to) {
  const Json::Object* members = value.as_object();
  if (!members) return input_error(Reason::malformed, "option metadata is not an object");
  if (to == Format::amb) return value;
  Json metadata = Json::object();
  for (const Json::Member& member : *members) {
    if (member.value.as_object() || member.value.as_array()) {
      return input_error(Reason::malformed, "option metadata: \"{}\" is a list or an object, not a string",
                         member.name);
    }
    const bool is_text = member.value.as_string() || member.value.is_null();
    metadata.append(member.name, is_text ? member.value : Json(write_json(member.value)));
  }
  return metadata;
}

Status read_option(std::string_view name, const Json& value, ConvertOptions& options) {
  if (name == "to" || name == "quantize") return {};
  if (name == "groupSize") {
    options.group_size = value.as_uint();
    if (!options.group_size || *options.group_size > UINT16_MAX) return wrong(name, value, "an integer up to 65535");
  } else if (name == "scaleType") {
    const std::string* text = value.as_string();
    if (!text || (*text != "fp16" && *text != "fp32")) return wrong(name, value, "\"fp16\" or \"fp32\"");
    options.scale_dtype = *text == "fp16" ? Dtype::f16 : Dtype::f32;
  } else if (name == "bits") {
    options.bits = value.as_double();
    if (!options.bits || !(*options.bits >= 4 && *options.bits <= 16)) return wrong(name, value, "from 4 to 16");
  } else if (name == "observer") {
    const std::string* text = value.as_string();
    if (!text || (*text != "minmax" && *text != "histogram")) return wrong(name, value, "\"minmax\" or \"histogram\"");
    options.observer = *text == "minmax" ? ObserverKind::min_max : ObserverKind::histogram;
  } else if (name == "metadata") {
    QUINTET_TRY(options.metadata, read_metadata(value, options.to));
  } else {
    return input_error(Reason::unknown_value,
                       "there is no option {}, only to, quantize, groupSize, scaleType, bits, observer and metadata",
                       name);
  }
  return {};
}

bool takes_group_size(Format to, Quantize quantize) {
  switch (quantize) {
    case Quantize::int8:
    case Quantize::int4:
    case Quantize::int5:
    case Quantize::int4_block:
    case Quantize::int5_block:
    case Quantize::adaptive:
      return to == Format::amb;
    case Quantize::int8_group:
    case Quantize::dq8:
    case Quantize::dq8_symmetric:
      return true;
    default:
      return false;
  }
}

// An option that has no effect with the others must not be ignored silently.
Status check_combination(const ConvertOptions& options, bool has_observer) {
  const bool grouped = takes_group_size(options.to, options.quantize);
  if (options.group_size && !grouped) {
    return input_error(Reason::mismatch, "option groupSize does not apply to this quantization");
  }
  if (options.group_size == 0 && options.to != Format::amb) {
    return input_error(Reason::out_of_range, "option groupSize: 0 is only for AMB");
  }
  if (options.scale_dtype && !(options.to == Format::amb && grouped)) {
    return input_error(Reason::mismatch, "option scaleType is only for quantized AMB files");
  }
  if (options.bits && options.quantize != Quantize::adaptive) {
    return input_error(Reason::mismatch, "option bits is only for quantize: \"adaptive\"");
  }
  if (has_observer && options.quantize != Quantize::sq8) {
    return input_error(Reason::mismatch, "option observer is only for quantize: \"sq8\"");
  }
  return {};
}

}  // namespace

Result<ConvertOptions> read_convert_options(std::string_view json) {
  auto parsed = parse_json(json);
  if (!parsed || !parsed->as_object()) return input_error(Reason::malformed, "the options are not a JSON object");
  const Json* to = parsed->find("to");
  if (!to) return input_error(Reason::missing, "option to is missing");
  ConvertOptions options;
  QUINTET_TRY(options.to, read_target(*to));
  if (const Json* quantize = parsed->find("quantize")) {
    QUINTET_TRY(options.quantize, read_quantize(*quantize, options.to));
  }
  for (const auto& [name, value] : *parsed->as_object()) QUINTET_CHECK(read_option(name, value, options));
  QUINTET_CHECK(check_combination(options, parsed->find("observer") != nullptr));
  return options;
}

}  // namespace quintet
