#include "runtime/generation/generator_model.h"

#include <string>

#include "base/json.h"
#include "formats/detect.h"
#include "runtime/generation/generation_options.h"

namespace quintet {
namespace {

using Quantize = GeneratorOptions::Quantize;

template <class Value>
struct Name {
  std::string_view name;
  Value value;
};
constexpr Name<Quantize> kQuantizeNames[] = {
    {"none", Quantize::none}, {"int8", Quantize::int8}, {"int4", Quantize::int4}};
constexpr Name<KvType> kKvNames[] = {
    {"f32", KvType::f32}, {"f16", KvType::f16}, {"int8", KvType::int8}, {"int4", KvType::int4}};

template <class Value, size_t count>
Status read_named(const Json::Member& option, const Name<Value> (&names)[count], Value& value) {
  std::string expected;
  for (const Name<Value>& entry : names) {
    const std::string* text = option.value.as_string();
    if (text && *text == entry.name) {
      value = entry.value;
      return {};
    }
    expected += formatted("{}{}", expected.empty() ? "one of " : ", ", entry.name);
  }
  return wrong_option(option, expected);
}

// One type, or { keys, values }.
Status read_kv_types(const Json::Member& option, KvTypes& types) {
  const bool are_two = option.value.as_object() != nullptr;
  const auto read = [&](std::string_view part, KvType& type) {
    return read_named({option.name, are_two ? option.value.get(part) : option.value}, kKvNames, type);
  };
  QUINTET_CHECK(read("keys", types.keys));
  return read("values", types.values);
}

Status read_option(const Json::Member& option, GeneratorRequest& request) {
  if (option.name == "format") {
    const std::string* text = option.value.as_string();
    request.format = text ? format_named(*text) : std::nullopt;
    return request.format ? Status() : wrong_option(option, "a format of model files");
  }
  if (option.name == "quantize") return read_named(option, kQuantizeNames, request.options.quantize);
  if (option.name == "kvCache") return read_kv_types(option, request.options.kv_types);
  if (option.name == "contextLength") {
    request.options.context_length = option.value.as_uint().value_or(0);
    return request.options.context_length != 0 ? Status() : wrong_option(option, "an integer of at least 1");
  }
  return input_error(Reason::unknown_value, "there is no option {}, only format, quantize, kvCache and contextLength",
                     option.name);
}

}  // namespace

std::optional<BlockBits> max_bits(GeneratorOptions::Quantize quantize) {
  switch (quantize) {
    case GeneratorOptions::Quantize::none:
      return std::nullopt;
    case GeneratorOptions::Quantize::int8:
      return BlockBits::eight;
    case GeneratorOptions::Quantize::int4:
      return BlockBits::four;
  }
  return std::nullopt;
}

Result<GeneratorRequest> read_generator_options(std::string_view json) {
  const auto parsed = parse_json(json);
  const Json::Object* members = parsed ? parsed->as_object() : nullptr;
  if (!members) return input_error(Reason::malformed, "the options are not a JSON object");
  GeneratorRequest request;
  for (const Json::Member& option : *members) QUINTET_CHECK(read_option(option, request));
  return request;
}

}  // namespace quintet
