#pragma once
// The steps of a tokenizer.json: questions about them, and errors for those that are not implemented.

#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet::huggingface {

constexpr std::string_view kSpaceMark = "\u2581";

// Whether a value is this string, or this truth value, which is `absent` if there is none.
bool is_text(const Json& object, std::string_view key, std::string_view expected);
bool is_flag(const Json& object, std::string_view key, bool expected, bool absent);

// UNSUPPORTED: "the tokenizer's `part` is `value`; supported are `supported`". A long value is cut.
Failure unsupported_part(std::string_view part, const Json& value, std::string_view supported);

}  // namespace quintet::huggingface
