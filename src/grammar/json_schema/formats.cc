#include "grammar/json_schema/formats.h"

#include <algorithm>
#include <array>

namespace quintet::grammar {
namespace {

// {name} stands for a pattern of this table. Lengths are bounded so that a text ends; those in `beside` are not.
struct Format {
  std::string_view name;
  std::string_view pattern;
  std::string_view beside = {};
};
constexpr std::array<Format, 22> kFormats = {{
    // RFC 3339. A year that 4 divides is a leap year, except for centuries that 400 does not divide.
    {"date",
     R"((?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))"
     R"(|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29))"},
    {"time", R"((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[-+](?:[01]\d|2[0-3]):[0-5]\d))"},
    {"date-time", "{date}T{time}"},
    // Its appendix A.
    {"duration",
     R"(P(?:\d{1,9}W|(?=.)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=.)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?))"},
    {"uuid", "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"},
    // RFC 1123 and RFC 5321; `beside` as ajv-formats and zod have them.
    {"hostname", R"((?:{label}\.){0,4}[a-zA-Z](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?)",
     R"((?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?)"},
    {"label", "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?"},
    {"email", R"({atom}(?:\.{atom}){0,3}@(?:{label}\.){1,4}{label})",
     R"({atext}+(?:\.{atext}+)*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)"},
    {"atom", "{atext}{1,16}"},
    {"atext", "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]"},
    {"ipv4", R"((?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d))"},
    // RFC 4291, section 2.2, without an IPv4 address at the end.
    {"ipv6",
     "{group}(?::{group}){7}|(?:{group}:){1,7}:|(?:{group}:){1,6}:{group}|(?:{group}:){1,5}(?::{group}){1,2}|(?:{group}"
     ":){1,4}(?::{group}){1,3}|"
     "(?:{group}:){1,3}(?::{group}){1,4}|(?:{group}:){1,2}(?::{group}){1,5}|{group}:(?::{group}){1,6}|:(?:(?::{group}){"
     "1,7}|:)"},
    {"group", "[0-9a-fA-F]{1,4}"},
    // RFC 3986, with a host.
    {"uri",
     R"([a-z][a-z0-9+.-]{0,15}://{hostname}(?::[1-9]\d{0,3})?(?:/(?:{sign})*)?(?:\?(?:{sign})*)?(?:#(?:{sign})*)?)"},
    {"sign", "[a-zA-Z0-9._~!$&'()*+,;=:@/-]|%[0-9a-fA-F]{2}"},
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
      text.append("(?<").append(part->name).append(">").append(with_parts(part->pattern)).append(")");
      at = end;
    } else {
      text += pattern[at];
    }
  }
  return text;
}

bool is_part_only(std::string_view name) {
  constexpr std::array<std::string_view, 5> kParts = {"label", "atom", "atext", "group", "sign"};
  return std::ranges::find(kParts, name) != kParts.end();
}

std::string whole(std::string_view pattern) {
  if (pattern.empty()) return "";
  const std::string text = with_parts(pattern);
  return text.find('|') == std::string::npos ? formatted("^{}$", text) : formatted("^(?:{})$", text);
}

}  // namespace

std::optional<FormatPattern> format_pattern(std::string_view format) {
  const Format* known = format_named(format);
  if (!known || is_part_only(format)) return std::nullopt;
  return FormatPattern{whole(known->pattern), whole(known->beside.empty() ? known->pattern : known->beside)};
}

std::string known_formats() {
  std::string names;
  for (const Format& each : kFormats) {
    if (!is_part_only(each.name)) names += formatted("{}{}", names.empty() ? "" : ", ", each.name);
  }
  return names;
}

}  // namespace quintet::grammar
