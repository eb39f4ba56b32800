#pragma once
// Formats of strings as patterns.

#include <optional>
#include <string>
#include <string_view>

namespace quintet::grammar {

struct FormatPattern {
  std::string pattern;  // for texts of the format, not always for all of them; empty if it allows any text
  std::string beside;   // for more of them, to be used together with other patterns, which bound their lengths
};

// Nothing for formats that are not known.
std::optional<FormatPattern> format_pattern(std::string_view format);
// Their names, for messages.
std::string known_formats();

}  // namespace quintet::grammar
