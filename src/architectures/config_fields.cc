#include "architectures/config_fields.h"

#include <algorithm>
#include <array>

#include "formats/model_description.h"

namespace quintet {
namespace {

struct NamedActivation {
  std::string_view name;
  Activation activation;
};
// The first name of each activation is AMB's, the others are Hugging Face's names for the same function.
constexpr std::array<NamedActivation, 7> kActivations = {{{"silu", Activation::silu},
                                                          {"gelu", Activation::gelu_erf},
                                                          {"gelu_new", Activation::gelu_tanh},
                                                          {"relu", Activation::relu},
                                                          {"relu2", Activation::relu_squared},
                                                          {"swish", Activation::silu},
                                                          {"gelu_pytorch_tanh", Activation::gelu_tanh}}};

}  // namespace

Json gguf_fields(const Json& metadata, std::string_view architecture) {
  Json fields = Json::object();
  const std::string prefix = formatted("{}.", architecture);
  for (const Json::Member& member : *metadata.as_object()) {
    if (member.name.starts_with(prefix)) fields.append(member.name.substr(prefix.size()), member.value);
  }
  return fields;
}

std::string_view name_of(Activation activation) {
  for (const NamedActivation& named : kActivations) {
    if (named.activation == activation) return named.name;
  }
  return "";
}

const Json* ConfigFields::find(std::string_view key) const {
  const Json* value = key.empty() ? nullptr : config_.find(key);
  if (value) found_.push_back(value);
  return value && value->is_null() && nulls_ == Nulls::absent ? nullptr : value;
}

Failure ConfigFields::wrong_field(Code code, Reason reason, std::string_view key, const char* pattern,
                                  const FieldValue* values) const {
  return fail(code, reason, "{}", field_text(where_, key, config_.find(key), fill_in(pattern, values)));
}

Status ConfigFields::check_fixed(std::span<const FixedField> fixed) const {
  for (const FixedField& row : fixed) QUINTET_CHECK(quintet::check_fixed(row, find(row.key), where_));
  return {};
}

Status ConfigFields::check_layers_alike(std::string_view type) const {
  QUINTET_TRY(const Json::Array* types, list("layer_types"));
  const bool is_alike =
      !types || std::ranges::all_of(*types, [type](const Json& found) { return is_as_fixed(&found, type); });
  if (is_alike) return {};
  const std::string_view name = type.substr(1, type.size() - 2);
  return unsupported("layer_types", "supported is {} for all layers", name);
}

Status ConfigFields::check_all_known(std::initializer_list<std::string_view> lists) const {
  const Json::Object* members = config_.as_object();
  if (!members) return {};
  for (const auto& [name, value] : *members) {
    if (is_off(value) || std::ranges::find(found_, &value) != found_.end()) continue;
    const auto has = [&name](std::string_view list) { return is_listed(name, list); };
    if (std::ranges::none_of(lists, has)) return unsupported(name, "{}", kUnknownField);
  }
  return {};
}

Status ConfigFields::natural(std::string_view key, uint64_t min, uint64_t max, uint64_t& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto number = field->as_uint();
  if (!number) return wrong(field->as_int() ? Reason::limit : Reason::malformed, key, "expected a natural number");
  if (*number < min || *number > max) {
    return wrong(Reason::limit, key, "expected {} to {}", min, max);
  }
  value = *number;
  return {};
}

Status ConfigFields::positive(std::string_view key, double max, double& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto number = field->as_double();
  if (!number) return wrong(Reason::malformed, key, "expected a number");
  if (!(*number <= max && static_cast<float>(*number) > 0)) {  // used as float32, where smaller numbers are 0
    return wrong(Reason::limit, key, "expected a number above 0 in the range of float32");
  }
  value = *number;
  return {};
}

Status ConfigFields::positive(std::initializer_list<Positive> fields) const {
  for (const Positive& field : fields) QUINTET_CHECK(positive(field.key, kMaxReal, field.value));
  return {};
}

Result<const std::vector<Json>*> ConfigFields::list(std::string_view key) const {
  const Json* field = find(key);
  if (!field) return nullptr;
  const std::vector<Json>* elements = field->as_array();
  if (!elements) return wrong(Reason::malformed, key, "expected a list");
  return elements;
}

Status ConfigFields::positives(std::string_view key, std::vector<double>& values) const {
  QUINTET_TRY(const std::vector<Json>* elements, list(key));
  if (!elements) return {};
  values.clear();
  for (const Json& element : *elements) {
    const auto number = element.as_double();
    if (!number || !(*number <= kMaxReal && static_cast<float>(*number) > 0)) {
      return wrong(Reason::malformed, key, "expected a list of numbers above 0 in the range of float32");
    }
    values.push_back(*number);
  }
  return {};
}

Status ConfigFields::flag(std::string_view key, bool& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const auto truth = field->as_bool();
  if (!truth) return wrong(Reason::malformed, key, "expected true or false");
  value = *truth;
  return {};
}

Status ConfigFields::text(std::string_view key, std::string& value) const {
  const Json* field = find(key);
  if (!field) return {};
  const std::string* text = field->as_string();
  if (!text) return wrong(Reason::malformed, key, "expected a string");
  value = *text;
  return {};
}

Status ConfigFields::activation(std::string_view key, Activation& activation) const {
  std::string name(name_of(activation));
  QUINTET_CHECK(text(key, name));
  for (const NamedActivation& named : kActivations) {
    if (named.name == name) {
      activation = named.activation;
      return {};
    }
  }
  return unsupported(key, "supported are silu, gelu, gelu_new, relu and relu2");
}

}  // namespace quintet
