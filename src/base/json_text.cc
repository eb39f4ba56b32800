// Converts JSON text to values, with RapidJSON's event reader, and back.

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/order.h"
#include "base/utf8.h"

namespace quintet {
namespace {

// An integer without fraction and exponent that fits 64 bits. Not for -0, because integers have no signed zero.
std::optional<Json> integer_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  uint64_t magnitude = 0;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto tenfold = checked_mul(magnitude, 10);
    const auto next = tenfold ? checked_add(*tenfold, static_cast<uint64_t>(c - '0')) : std::nullopt;
    if (!next) return std::nullopt;
    magnitude = *next;
  }
  if (!negative) return magnitude;
  if (magnitude == 0 || magnitude > uint64_t{1} << 63) return std::nullopt;
  return static_cast<int64_t>(-magnitude);
}

// Builds the value from the reader's events. RapidJSON keeps its state on the heap, so nesting needs no stack.
class Builder {
 public:
  explicit Builder(const rapidjson::MemoryStream& stream) : stream_(stream) {}

  Json take() { return std::move(root_); }
  // Why an event was rejected, and where.
  const char* refusal() const { return refusal_; }
  Reason reason() const { return reason_; }
  size_t refused_at() const { return refused_at_; }

  bool Null() { return add({}); }
  bool Bool(bool value) { return add(value); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    if (const auto integer = integer_of({text, length})) return add(*integer);
    // RapidJSON's own conversion is wrong near the ends of the range.
    const double number = parse_decimal({text, length});
    return std::isfinite(number) ? add(number)
                                 : refuse("a number beyond the largest", Reason::out_of_range, stream_.Tell());
  }
  // Numbers are passed as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(int64_t) { return false; }
  bool Uint64(uint64_t) { return false; }
  bool Double(double) { return false; }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return is_utf8({text, length}) && add(std::string(text, length));
  }

  bool StartObject() { return open(Json::object()); }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    if (!is_utf8({text, length})) return false;
    Open& top = open_.back();
    top.name.assign(text, length);
    top.name_ends.push_back(stream_.Tell());
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return names_are_unique() && close(); }
  bool StartArray() { return open(Json::array()); }
  bool EndArray(rapidjson::SizeType) { return close(); }

 private:
  struct Open {
    Json value;
    std::string name;               // of the member whose value comes next
    std::vector<size_t> name_ends;  // of the members, in order
  };

  bool refuse(const char* why, Reason reason, size_t at) {
    refusal_ = why;
    reason_ = reason;
    refused_at_ = at;
    return false;
  }

  // RapidJSON's own check accepts an escaped low surrogate without a high one.
  bool is_utf8(std::string_view text) {
    return !find_invalid_utf8(text) || refuse("text that is not UTF-8", Reason::invalid_utf8, stream_.Tell());
  }

  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& top = open_.back(); top.value.as_array()) {
      top.value.push_back(std::move(value));
    } else {
      top.value.append(top.name, std::move(value));
    }
    return true;
  }

  bool open(Json value) {
    if (open_.size() == kMaxJsonDepth) return refuse("too deeply nested", Reason::limit, stream_.Tell());
    open_.push_back({.value = std::move(value), .name = {}, .name_ends = {}});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  bool names_are_unique() {
    const Open& top = open_.back();
    const Json::Object& members = *top.value.as_object();
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const Json::Member& member : members) names.push_back(member.name);
    const std::optional<size_t> twice = find_duplicate(names);
    if (!twice) return true;
    return refuse("a name occurs twice", Reason::duplicate, top.name_ends[*twice]);
  }

  const rapidjson::MemoryStream& stream_;
  Json root_;
  std::vector<Open> open_;
  const char* refusal_ = nullptr;
  Reason reason_ = Reason::malformed;
  size_t refused_at_ = 0;
};

void write_text(std::string_view text, std::string& out) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt", kHex = "0123456789ABCDEF";
  out += '"';
  for (const char c : text) {
    const size_t escaped = kEscaped.find(c);
    const auto code = static_cast<unsigned char>(c);
    if (escaped != kEscaped.npos) {
      out += '\\';
      out += kLetters[escaped];
    } else if (code < 0x20) {
      out += "\\u00";
      out += kHex[code / 16];
      out += kHex[code % 16];
    } else {
      out += c;
    }
  }
  out += '"';
}

void write(const Json& value, std::string& out) {
  if (const Json::Object* members = value.as_object()) {
    char before = '{';
    for (const Json::Member& member : *members) {
      out += std::exchange(before, ',');
      write_text(member.name, out);
      out += ':';
      write(member.value, out);
    }
    out += members->empty() ? "{}" : "}";
  } else if (const Json::Array* elements = value.as_array()) {
    char before = '[';
    for (const Json& element : *elements) {
      out += std::exchange(before, ',');
      write(element, out);
    }
    out += elements->empty() ? "[]" : "]";
  } else if (const std::string* text = value.as_string()) {
    write_text(*text, out);
  } else if (const auto truth = value.as_bool()) {
    out += *truth ? "true" : "false";
  } else if (const auto natural = value.as_uint()) {
    out += write_natural(*natural);
  } else if (const auto integer = value.as_int()) {
    out += write_integer(*integer);
  } else if (const auto number = value.as_double(); number && std::isfinite(*number)) {
    std::string digits = write_decimal(*number);
    // JSON.stringify and Python write integers beyond 64 bits this way. Read again, they are the same double.
    const bool is_beyond = *number >= 0x1p64 || *number <= -0x1p63;
    if (is_beyond && digits.ends_with(".0")) digits.resize(digits.size() - 2);
    out += digits;
  } else {
    out += "null";
  }
}

Reason reason_of(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return Reason::trailing;
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    case rapidjson::kParseErrorStringInvalidEncoding:
      return Reason::invalid_utf8;
    case rapidjson::kParseErrorNumberTooBig:
      return Reason::out_of_range;
    default:
      return Reason::malformed;
  }
}

}  // namespace

Result<Json> parse_json(std::string_view text, uint64_t base) {
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  Builder builder(stream);
  const rapidjson::ParseResult parsed = reader.Parse<kFlags>(stream, builder);
  if (builder.refusal()) {
    return format_error(builder.reason(), base + builder.refused_at(), "JSON: {}", builder.refusal());
  }
  if (parsed.IsError()) {
    // The place is enough: RapidJSON's texts are half a kilobyte of each module.
    return format_error(reason_of(parsed.Code()), base + std::min(parsed.Offset(), text.size()),
                        "JSON: invalid syntax");
  }
  // The reader treats NUL as the end of the text.
  if (stream.Tell() != text.size()) {
    return format_error(Reason::trailing, base + stream.Tell(), "JSON: a NUL byte after the value");
  }
  return builder.take();
}

std::string write_json(const Json& value) {
  std::string text;
  write(value, text);
  return text;
}

}  // namespace quintet
