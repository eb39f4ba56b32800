#pragma once
// Formats of strings as patterns.

#include <optional>
#include <string>
#include <string_view>

namespace quintet::grammar {

// A pattern for texts of the format, not always for all of them; empty if the format allows any text. Nothing for
// formats that are not known.
std::optional<std::string> format_pattern(std::string_view format);
// Their names, for messages.
std::string known_formats();

}  // namespace quintet::grammar
