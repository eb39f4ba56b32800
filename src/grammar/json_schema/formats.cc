#include "grammar/json_schema/formats.h"

#include <array>

namespace quintet::grammar {
namespace {

// {name} stands for a pattern of this table. Lengths are bounded so that a text ends.
struct Format {
  std::string_view name;
  std::string_view pattern;
};
constexpr std::array<Format, 19> kFormats = {{
    // RFC 3339. A year that 4 divides is a leap year, but for centuries that 400 does not.
    {"date",
     R"((?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))"
     R"(|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29))"},
    {"time", R"((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[-+](?:[01]\d|2[0-3]):[0-5]\d))"},
    {"date-time", "{date}T{time}"},
    // Its appendix A.
    {"duration",
     R"(P(?:\d{1,9}W|(?=.)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=.)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?))"},
    {"uuid", "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"},
    {"hostname",
     R"((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?\.){0,4}[a-zA-Z](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?)"},
    {"email",
     R"([a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,16}(?:\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,16}){0,3}@)"
     R"((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?\.){1,4}[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?)"},
    {"ipv4", R"((?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d))"},
    // RFC 4291, section 2.2, without an IPv4 address at the end.
    {"ipv6",
     "{g}(?::{g}){7}|(?:{g}:){1,7}:|(?:{g}:){1,6}:{g}|(?:{g}:){1,5}(?::{g}){1,2}|(?:{g}:){1,4}(?::{g}){1,3}|"
     "(?:{g}:){1,3}(?::{g}){1,4}|(?:{g}:){1,2}(?::{g}){1,5}|{g}:(?::{g}){1,6}|:(?:(?::{g}){1,7}|:)"},
    {"g", "[0-9a-fA-F]{1,4}"},
    // RFC 3986, with a host.
    {"uri", R"([a-z][a-z0-9+.-]{0,15}://{hostname}(?::[1-9]\d{0,3})?(?:/(?:{u})*)?(?:\?(?:{u})*)?(?:#(?:{u})*)?)"},
    {"u", "[a-zA-Z0-9._~!$&'()*+,;=:@/-]|%[0-9a-fA-F]{2}"},
    // RFC 6901.
    {"json-pointer", "(?:/(?:[^/~]|~[01])*)*"},
    {"byte", "(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2}==|[a-zA-Z0-9+/]{3}=)?"},
    {"base64", "{byte}"},
    {"base64url", "(?:[a-zA-Z0-9_-]{4})*(?:[a-zA-Z0-9_-]{2,3})?"},
    {"jwt", R"(eyJ[a-zA-Z0-9_-]+\.eyJ[a-zA-Z0-9_-]+\.[a-zA-Z0-9_-]+)"},
    {"binary", ""},
    {"password", ""},
}};

const Format* format_named(std::string_view name) {
  for (const Format& each : kFormats) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::string with_parts(std::string_view pattern) {
  std::string text;
  for (size_t at = 0; at < pattern.size(); ++at) {
    const size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string_view::npos;
    const Format* part = end == std::string_view::npos ? nullptr : format_named(pattern.substr(at + 1, end - at - 1));
    if (part) {
      text += "(?:" + with_parts(part->pattern) + ")";
      at = end;
    } else {
      text += pattern[at];
    }
  }
  return text;
}

bool is_part_only(std::string_view name) { return name.size() == 1; }

}  // namespace

std::optional<std::string> format_pattern(std::string_view format) {
  const Format* known = format_named(format);
  if (!known || is_part_only(format)) return std::nullopt;
  return known->pattern.empty() ? std::string() : "^(?:" + with_parts(known->pattern) + ")$";
}

std::string known_formats() {
  std::string names;
  for (const Format& each : kFormats) {
    if (!is_part_only(each.name)) names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return names;
}

}  // namespace quintet::grammar
