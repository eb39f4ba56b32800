#include "formats/other_files.h"

#include <algorithm>
#include <utility>

namespace quintet {
namespace {

struct Kind {
  std::string_view begin;
  std::string_view name;
  Expected min;  // in place of this and what follows it in the enumeration
};

constexpr std::string_view kWebPage = "it looks like a web page or XML";
constexpr Kind kKinds[] = {
    {"\x1f\x8b", "it looks like gzip data, not decompressed or compressed twice", Expected::text},
    {"PK\3\4", "it looks like a zip archive, which is how PyTorch saves", Expected::text},
    {"version https:/", "it looks like a Git LFS pointer, without the actual file", Expected::text},
    {"<!", kWebPage, Expected::text},
    {"<html", kWebPage, Expected::text},
    {"<", kWebPage, Expected::json},
    {"{", "it looks like JSON", Expected::model},
};

}  // namespace

std::string_view other_kind(Bytes head, Expected expected) {
  std::string_view text = as_text(head);
  if (text.empty() && expected != Expected::text) return "it is empty";
  // A byte order mark and white space
  text.remove_prefix(std::min(text.find_first_not_of("\xef\xbb\xbf \t\r\n"), text.size()));
  for (const Kind& kind : kKinds) {
    if (text.starts_with(kind.begin) && kind.min <= expected) return kind.name;
  }
  return "";
}

std::string with_other_kind(std::string problem, Bytes head) {
  const std::string_view kind = other_kind(head, Expected::model);
  if (!kind.empty()) (problem += ": ") += kind;
  return problem;
}

Status check_kind(std::string_view content, Expected expected) {
  const std::string_view kind = other_kind(as_bytes(content), expected);
  if (kind.empty()) return {};
  return format_error(Reason::bad_magic, 0, "{}", kind);
}

}  // namespace quintet
