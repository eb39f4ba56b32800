#include "formats/alt/section.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/utf8.h"

namespace quintet::alt {
namespace {

uint64_t padding_at(uint64_t offset) { return align_up(offset, kAlignment) - offset; }

// Maximum size of the fields of a section with this size. The size may not include the ids of the tokens, which are at
// most a quarter of each token. A little is added, so that a size that is a few bytes too small is recognized.
uint64_t max_field_bytes(uint64_t size) { return size + size / 3 + 2 * kAlignment; }

Status check_marker(Bytes head, uint64_t at, uint64_t marker, std::string_view name) {
  const auto found = load_le<uint64_t>(head, 0);
  if (found == marker) return {};
  const bool low_word_is_right = static_cast<uint32_t>(found) == marker;
  return format_error(Reason::malformed, low_word_is_right ? at + sizeof(uint32_t) : at,
                      "expected the marker of the {} section", name);
}

Parse<Bytes> peek_fields(ByteStream& in, const Section& section) {
  if (section.size > kMaxGatheredBytes) {
    co_return wrong_size(section, formatted("at most {} are supported", kMaxGatheredBytes));
  }
  QUINTET_CO_TRY(const Bytes bytes, co_await in.peek(max_field_bytes(section.size)));
  if (bytes.size() + kSectionHeadBytes < section.size) {
    co_return format_error(Reason::truncated, in.offset() + bytes.size(), "the file ends in the {} section",
                           section.name);
  }
  co_return bytes;
}

// Positions in the start section. Its fields are version and alignment.
constexpr size_t kVersionAt = 16, kAlignmentAt = 20, kStartBytes = 24;

Status check_start(Bytes start) {
  const auto marker = load_le<uint64_t>(start, 0);
  const auto word = static_cast<uint32_t>(marker);
  if (word != kStartMarker && word != kOverviewStartMarker) {
    return format_error(Reason::bad_magic, 0, "the file does not begin with the ALT marker");
  }
  if (marker != word) {
    return format_error(Reason::bad_magic, sizeof word, "the second word of the start marker is not 0");
  }
  if (const auto version = load_le<int32_t>(start, kVersionAt); version != kVersion) {
    return format_error(Reason::bad_version, kVersionAt, "version {}, expected {}", version, kVersion);
  }
  if (const auto alignment = load_le<int32_t>(start, kAlignmentAt); alignment != kAlignment) {
    return format_error(Reason::unknown_value, kAlignmentAt, "an alignment of {}, expected {}", alignment, kAlignment);
  }
  const Section section{.name = "start", .at = 0, .size = load_le<uint64_t>(start, kMarkerBytes)};
  return check_size(section, kStartBytes - kSectionHeadBytes);
}

}  // namespace

bool size_fits(const Section& section, uint64_t fields, uint64_t uncounted) {
  const uint64_t padding = padding_at(section.fields_at() + fields);
  const uint64_t counted = fields - uncounted;
  return section.size == counted || section.size == counted + kSectionHeadBytes || section.size == counted + padding ||
         section.size == counted + kSectionHeadBytes + padding;
}

Failure wrong_size(const Section& section, std::string_view what) {
  return format_error(Reason::limit, section.size_at(), "the {} section has a size of {} bytes; {}", section.name,
                      static_cast<int64_t>(section.size), what);
}

Status check_size(const Section& section, uint64_t fields) {
  if (size_fits(section, fields)) return {};
  return wrong_size(section, formatted("its fields need {}", fields));
}

Result<std::string_view> read_text(ByteReader& in, std::string_view what) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto length, in.read<int32_t>());
  if (length < 0 || static_cast<uint32_t>(length) > in.remaining()) {
    return format_error(Reason::limit, at, "{} has a length of {} bytes", what, length);
  }
  const std::string_view text = as_text(*in.bytes(static_cast<uint32_t>(length)));
  if (const auto bad = find_invalid_utf8(text)) {
    return format_error(Reason::invalid_utf8, at + sizeof length + *bad, "{} is not UTF-8", what);
  }
  return text;
}

Parse<Section> read_section_head(ByteStream& in, uint64_t marker, std::string_view name, uint64_t min) {
  Section section{.name = name, .at = in.offset()};
  QUINTET_CO_TRY(const Bytes head, co_await in.bytes(kSectionHeadBytes));
  QUINTET_CO_CHECK(check_marker(head, section.at, marker, name));
  section.size = load_le<uint64_t>(head, kMarkerBytes);
  if (section.size < min) co_return wrong_size(section, formatted("its fields need at least {}", min));
  if (section.size > INT64_MAX) co_return wrong_size(section, "it is negative");
  // The size may include the header, which was already read.
  if (section.size > kSectionHeadBytes && section.size - kSectionHeadBytes > in.remaining()) {
    co_return wrong_size(section, formatted("but the file has only {} left", in.remaining()));
  }
  co_return section;
}

Parse<void> read_section(ByteStream& in, uint64_t marker, std::string_view name, uint64_t min, FieldsReader read_fields,
                         ModelDescription& description) {
  QUINTET_CO_TRY(const Section section, co_await read_section_head(in, marker, name, min));
  QUINTET_CO_TRY(const Bytes bytes, co_await peek_fields(in, section));
  QUINTET_CO_TRY(const uint64_t fields, read_fields(bytes, section, description));
  QUINTET_CO_CHECK(co_await in.skip(fields));
  co_return co_await read_padding(in);
}

Parse<void> read_padding(ByteStream& in) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes padding, co_await in.bytes(padding_at(at)));
  const auto bad = std::ranges::find_if(padding, [](std::byte byte) { return byte != std::byte{0}; });
  if (bad == padding.end()) co_return Status();
  co_return format_error(Reason::malformed, at + static_cast<uint64_t>(bad - padding.begin()),
                         "a byte between two sections is not 0");
}

Status write_section(ByteWriter& out, uint64_t marker, std::string_view name, Bytes fields, FieldsReader read_fields) {
  const Section section{.name = name, .at = out.size(), .size = fields.size()};
  ModelDescription unused;
  if (auto read = read_fields(fields, section, unused); !read) {
    read.error().code = Code::input;
    read.error().offset.reset();  // there is no file yet
    return failure_of(std::move(read));
  }
  out.put(marker);
  out.put(section.size);
  out.put_bytes(fields);
  write_padding(out);
  return {};
}

void write_padding(ByteWriter& out) { out.put_zeros(static_cast<size_t>(padding_at(out.size()))); }

Parse<void> read_start(ByteStream& in) {
  QUINTET_CO_TRY(const Bytes start, co_await in.bytes(kStartBytes));
  QUINTET_CO_CHECK(check_start(start));
  co_return co_await read_padding(in);
}

bool is_end_marker(Bytes bytes) {
  return bytes.size() >= kShortEndMarkerBytes && load_le<uint32_t>(bytes, 0) == kEndMarker;
}

Parse<void> read_end(ByteStream& in) {
  const uint64_t at = in.offset();
  QUINTET_CO_TRY(const Bytes end, co_await in.peek(kMarkerBytes + 1));
  const size_t bytes = std::min<size_t>(end.size(), kMarkerBytes);
  if (bytes >= kShortEndMarkerBytes && !is_end_marker(end)) {
    co_return format_error(Reason::malformed, at, "expected the end marker");
  }
  if (bytes != kShortEndMarkerBytes && bytes != kMarkerBytes) {
    co_return format_error(Reason::truncated, at + bytes, "the file ends inside its end marker");
  }
  if (bytes == kMarkerBytes && load_le<uint64_t>(end, 0) != kEndMarker) {
    co_return format_error(Reason::malformed, at + kShortEndMarkerBytes, "the second word of the end marker is not 0");
  }
  if (end.size() > bytes) co_return format_error(Reason::trailing, at + bytes, "there are bytes after the end marker");
  QUINTET_CO_CHECK(co_await in.skip(bytes));
  co_return Status();
}

void write_start(ByteWriter& out) {
  out.put(kStartMarker);
  out.put(uint64_t{kStartBytes - kSectionHeadBytes});
  out.put(kVersion);
  out.put(kAlignment);
  write_padding(out);
}

}  // namespace quintet::alt
