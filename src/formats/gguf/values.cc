#include "formats/gguf/values.h"

#include <algorithm>
#include <array>

#include "base/byte_reader.h"
#include "base/utf8.h"

namespace quintet::gguf {
namespace {

// `at` is the position of the length.
Status check_length(const ByteStream& in, uint64_t at, uint64_t length, uint64_t max) {
  if (length <= max && length <= in.remaining()) return {};
  return format_error(Reason::limit, at, "a string of {} bytes, at most {} are allowed", length,
                      std::min(max, in.remaining()));
}

Status check_utf8(std::string_view text, uint64_t at) {
  const auto bad = find_invalid_utf8(text);
  if (!bad) return {};
  return format_error(Reason::invalid_utf8, at + *bad, "text that is not UTF-8");
}

Failure too_many(uint64_t at) { return format_error(Reason::limit, at, "a list of strings of more than 4 GB"); }

// Lists are scanned in windows of this many bytes: vocabularies have hundreds of thousands of strings, too many to
// request each from the stream.
constexpr uint64_t kWindow = 16 * 1024;

// Adds the strings that are complete in the window, up to `count`, and returns the bytes that they take. `at` is the
// position of the window.
Result<uint64_t> take_strings(Bytes window, uint64_t at, uint64_t count, StringTable& strings) {
  size_t used = 0;
  while (strings.size() < count && window.size() - used >= kLengthBytes) {
    const auto length = load_le<uint64_t>(window, used);
    const size_t begin = used + kLengthBytes;
    if (length > window.size() - begin) break;
    const std::string_view text = as_text(window.subspan(begin, static_cast<size_t>(length)));
    QUINTET_CHECK(check_utf8(text, at + begin));
    if (!strings.add(text)) return too_many(at + used);
    used = begin + text.size();
  }
  return used;
}

struct Facts {
  std::string_view name;
  uint8_t bytes;
};

constexpr std::array<Facts, kValueTypes> kFacts = {{{"uint8", 1},
                                                    {"int8", 1},
                                                    {"uint16", 2},
                                                    {"int16", 2},
                                                    {"uint32", 4},
                                                    {"int32", 4},
                                                    {"float32", 4},
                                                    {"bool", 1},
                                                    {"string", 0},
                                                    {"array", 0},
                                                    {"uint64", 8},
                                                    {"int64", 8},
                                                    {"float64", 8}}};

constexpr int kMaxArrayDepth = 4;
constexpr uint64_t kArrayHeadBytes = kTypeBytes + kLengthBytes;

// The minimum size of an element.
uint64_t min_bytes(ValueType type) {
  if (type == ValueType::string) return kLengthBytes;
  if (type == ValueType::array) return kArrayHeadBytes;
  return bytes_of(type);
}

Failure no_truth_value(uint64_t at) { return format_error(Reason::malformed, at, "a bool that is neither 0 nor 1"); }

Parse<Json> read_number(ByteStream& in, ValueType type) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(bytes_of(type)));
  std::optional<Json> number = number_at(type, bytes);
  if (!number) co_return no_truth_value(at);
  co_return std::move(*number);
}

Parse<Json> list_numbers(ByteStream& in, ArrayHead head) {
  Json list = Json::array();
  const uint64_t at = in.offset();
  const uint64_t size = bytes_of(head.type);
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(head.length * size));
  for (uint64_t i = 0; i < head.length; ++i) {
    std::optional<Json> number = number_at(head.type, bytes.subspan(static_cast<size_t>(i * size)));
    if (!number) co_return no_truth_value(at + i * size);
    list.push_back(std::move(*number));
  }
  co_return list;
}

// Skips numbers that are not kept. Any value is valid, except for bools.
Parse<void> pass_numbers(ByteStream& in, ArrayHead head) {
  if (head.type != ValueType::boolean) {
    QUINTET_CO_CHECK(co_await in.skip(head.length * bytes_of(head.type)));
    co_return Status();
  }
  for (uint64_t rest = head.length; rest != 0;) {
    const uint64_t at = in.offset();
    QUINTET_CO_TRY(const Bytes piece, co_await in.some(rest));
    const auto bad = std::ranges::find_if(piece, [](std::byte byte) { return byte > std::byte{1}; });
    if (bad != piece.end()) co_return no_truth_value(at + static_cast<uint64_t>(bad - piece.begin()));
    rest -= piece.size();
  }
  co_return Status();
}

Json list_strings(const StringTable& strings) {
  Json list = Json::array();
  for (size_t i = 0; i < strings.size(); ++i) list.push_back(strings[i]);
  return list;
}

Parse<Json> read_array(ByteStream& in, int depth) {
  const uint64_t at = in.offset();
  if (depth > kMaxArrayDepth) co_return format_error(Reason::limit, at, "arrays nested more than 4 deep");
  QUINTET_CO_TRY(const ArrayHead head, co_await read_array_head(in));
  const bool listed = head.length <= kMaxListed;
  if (head.type == ValueType::array) {
    Json list = Json::array();
    for (uint64_t i = 0; i < head.length; ++i) {
      QUINTET_CO_TRY(Json element, co_await read_array(in, depth + 1));
      if (listed) list.push_back(std::move(element));
    }
    co_return listed ? std::move(list) : sum_up(head);
  }
  if (head.type == ValueType::string) {
    QUINTET_CO_TRY(const StringTable strings, co_await read_strings(in, head.length));
    co_return listed ? list_strings(strings) : sum_up(head);
  }
  if (listed) co_return co_await list_numbers(in, head);
  QUINTET_CO_CHECK(co_await pass_numbers(in, head));
  co_return sum_up(head);
}

}  // namespace

Parse<std::string> read_string(ByteStream& in, uint64_t max) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes prefix, co_await in.bytes(kLengthBytes));
  const auto length = load_le<uint64_t>(prefix, 0);
  QUINTET_CO_CHECK(check_length(in, at, length, max));
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(length));
  QUINTET_CO_CHECK(check_utf8(as_text(bytes), at + kLengthBytes));
  co_return std::string(as_text(bytes));
}

Parse<StringTable> read_strings(ByteStream& in, uint64_t count) {
  StringTable strings;
  while (strings.size() < count) {
    QUINTET_CO_TRY(const Bytes window, co_await in.peek(kWindow));
    QUINTET_CO_TRY(const uint64_t taken, take_strings(window, in.offset(), count, strings));
    QUINTET_CO_CHECK(co_await in.skip(taken));
    if (taken != 0) continue;
    // The value is longer than the window, or than the file.
    const uint64_t at = in.offset();
    QUINTET_CO_TRY(const std::string string, co_await read_string(in, StringTable::kMaxBytes));
    if (!strings.add(string)) co_return too_many(at);
  }
  co_return strings;
}

std::string_view name_of(ValueType type) { return kFacts[static_cast<size_t>(type)].name; }

uint64_t bytes_of(ValueType type) { return kFacts[static_cast<size_t>(type)].bytes; }

std::optional<Json> number_at(ValueType type, Bytes bytes) {
  switch (type) {
    case ValueType::u8:
      return Json(uint64_t{load_le<uint8_t>(bytes, 0)});
    case ValueType::i8:
      return Json(int64_t{load_le<int8_t>(bytes, 0)});
    case ValueType::u16:
      return Json(uint64_t{load_le<uint16_t>(bytes, 0)});
    case ValueType::i16:
      return Json(int64_t{load_le<int16_t>(bytes, 0)});
    case ValueType::u32:
      return Json(uint64_t{load_le<uint32_t>(bytes, 0)});
    case ValueType::i32:
      return Json(int64_t{load_le<int32_t>(bytes, 0)});
    case ValueType::f32:
      return Json(double{load_le<float>(bytes, 0)});
    case ValueType::u64:
      return Json(load_le<uint64_t>(bytes, 0));
    case ValueType::i64:
      return Json(load_le<int64_t>(bytes, 0));
    case ValueType::f64:
      return Json(load_le<double>(bytes, 0));
    case ValueType::boolean: {
      const auto truth = load_le<uint8_t>(bytes, 0);
      if (truth <= 1) return Json(truth == 1);
      break;
    }
    case ValueType::string:
    case ValueType::array:
      break;
  }
  return std::nullopt;
}

Parse<ValueType> read_value_type(ByteStream& in) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(kTypeBytes));
  const auto type = load_le<uint32_t>(bytes, 0);
  if (type >= kValueTypes) {
    co_return format_error(Reason::unknown_value, at, "a value of type {}, expected 0 to {}", type, kValueTypes - 1);
  }
  co_return static_cast<ValueType>(type);
}

Parse<Json> read_value(ByteStream& in, ValueType type) {
  if (type == ValueType::array) co_return co_await read_array(in, 1);
  if (type != ValueType::string) co_return co_await read_number(in, type);
  QUINTET_CO_TRY(std::string text, co_await read_string(in));
  co_return Json(std::move(text));
}

Parse<ArrayHead> read_array_head(ByteStream& in) {
  QUINTET_CO_TRY(const ValueType type, co_await read_value_type(in));
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in.bytes(kLengthBytes));
  const auto length = load_le<uint64_t>(bytes, 0);
  if (length > in.remaining() / min_bytes(type)) {
    co_return format_error(Reason::limit, at, "an array of {} elements is larger than the file", length);
  }
  co_return ArrayHead{.type = type, .length = length};
}

Json sum_up(const ArrayHead& head) {
  Json sum = Json::object();
  sum.append("array_of", name_of(head.type));
  sum.append("length", head.length);
  return sum;
}

}  // namespace quintet::gguf
