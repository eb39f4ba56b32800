#pragma once
// The known fields of a JSON configuration. An unknown field may change what a model computes, so it is an error that
// names the field.

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet {

// Whether a list of texts, separated by spaces, has this one. A "*" at the beginning or end of an entry stands for any
// text.
bool is_listed(std::string_view text, std::string_view list);

// null, false, 0 or empty. An unknown field with such a value has no effect.
bool is_off(const Json& value);

// A field that must have one of these values, if it is present: others mean another computation.
struct FixedField {
  std::string_view key, values;  // as JSON, separated by spaces
};

// Whether the field is absent, null or has one of its values.
bool is_as_fixed(const Json* value, std::string_view values);
// UNSUPPORTED if not. `where`: for the message.
Status check_fixed(const FixedField& row, const Json* value, std::string_view where);

// The fields of an object that its reader knows.
struct KnownFields {
  std::span<const FixedField> fixed;
  std::string_view others;  // as is_listed() expects them: read elsewhere, or without influence on results
};

// UNSUPPORTED for a fixed field with another value, and for a field that is neither known nor off.
Status check_known(const Json& object, const KnownFields& known, std::string_view where);

// For messages about a field; a long value is left out.
std::string field_text(std::string_view where, std::string_view key, const Json* value, std::string_view problem);
inline constexpr std::string_view kUnknownField = "which is not supported: it may change the results of the model";

}  // namespace quintet
