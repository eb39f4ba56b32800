#include "formats/alt/markers.h"

#include <algorithm>
#include <string>

#include "base/byte_reader.h"
#include "formats/alt/layout.h"
#include "formats/alt/section.h"

namespace quintet::alt {
namespace {

// Places in the start section; its fields are version and alignment.
constexpr size_t kVersionAt = 16, kAlignmentAt = 20, kStartBytes = 24;

Status check_start(Bytes start) {
  const auto marker = load_le<uint64_t>(start, 0);
  const auto word = static_cast<uint32_t>(marker);
  if (word != kStartMarker && word != kOverviewStartMarker) {
    return format_error(Reason::bad_magic, 0, "the file does not begin with ALT's marker");
  }
  if (marker != word) {
    return format_error(Reason::bad_magic, sizeof word, "the second word of the start marker is not 0");
  }
  if (const auto version = load_le<int32_t>(start, kVersionAt); version != kVersion) {
    return format_error(Reason::bad_version, kVersionAt,
                        "version " + std::to_string(version) + ", only " + std::to_string(kVersion) + " is read");
  }
  if (const auto alignment = load_le<int32_t>(start, kAlignmentAt); alignment != kAlignment) {
    return format_error(Reason::unknown_value, kAlignmentAt,
                        "an alignment of " + std::to_string(alignment) + ", not " + std::to_string(kAlignment));
  }
  const Section section{.name = "start", .at = 0, .size = load_le<uint64_t>(start, kMarkerBytes)};
  return check_size(section, kStartBytes - kSectionHeadBytes);
}

}  // namespace

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
    co_return format_error(Reason::truncated, at + bytes, "the file ends in its end marker");
  }
  if (bytes == kMarkerBytes && load_le<uint64_t>(end, 0) != kEndMarker) {
    co_return format_error(Reason::malformed, at + kShortEndMarkerBytes, "the second word of the end marker is not 0");
  }
  if (end.size() > bytes) co_return format_error(Reason::trailing, at + bytes, "bytes after the end marker");
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
