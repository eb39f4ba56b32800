#include "formats/amb/header.h"

#include <algorithm>
#include <string>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "formats/amb/layout.h"

namespace quintet::amb {
namespace {

Status check_magic(Bytes bytes) {
  const std::string_view found = as_text(bytes).substr(0, kMagic.size());
  if (!kMagic.starts_with(found)) {
    return format_error(Reason::bad_magic, header_at::kMagic, "the file does not begin with AMBEE");
  }
  if (bytes.size() == kHeaderBytes) return {};
  return format_error(Reason::truncated, bytes.size(), "the file ends in its header");
}

Status check_version_and_flags(Bytes bytes) {
  const auto version = load_le<uint8_t>(bytes, header_at::kVersion);
  if (version != kVersion) {
    return fail({.code = Code::unsupported,
                 .reason = Reason::bad_version,
                 .detail = "version " + std::to_string(version) + ", expected 1",
                 .offset = header_at::kVersion});
  }
  const auto flags = load_le<uint16_t>(bytes, header_at::kFlags);
  if ((flags & ~kHasChecksum) == 0) return {};
  return unsupported_error("flags " + std::to_string(flags) + ", only bit 0 is known", header_at::kFlags);
}

// A file that ends where its checksum should begin: the flag is as likely wrong as the file is short.
Status check_room_for_checksum(const Header& header, std::optional<uint64_t> total) {
  if (!header.has_checksum() || total != header.file_size - kChecksumBytes) return {};
  return format_error(Reason::truncated, header_at::kFlags, "the flags announce a checksum, the file ends before it");
}

}  // namespace

bool Header::has_checksum() const { return (flags & kHasChecksum) != 0; }

Result<Header> read_header(Bytes bytes, std::optional<uint64_t> total) {
  QUINTET_CHECK(check_magic(bytes));
  QUINTET_CHECK(check_version_and_flags(bytes));
  Header header = {.flags = load_le<uint16_t>(bytes, header_at::kFlags),
                   .metadata_size = load_le<uint32_t>(bytes, header_at::kMetadataSize),
                   .config_size = load_le<uint32_t>(bytes, header_at::kConfigSize),
                   .tokenizer_size = load_le<uint32_t>(bytes, header_at::kTokenizerSize),
                   .weights_size = load_le<uint64_t>(bytes, header_at::kWeightsSize)};
  const uint64_t beside = kHeaderBytes + (header.has_checksum() ? kChecksumBytes : 0) + uint64_t{header.metadata_size} +
                          header.config_size + header.tokenizer_size;
  const auto file_size = checked_add(beside, header.weights_size);
  if (!file_size) {
    return format_error(Reason::limit, header_at::kWeightsSize,
                        "a weights section of " + std::to_string(header.weights_size) + " bytes");
  }
  header.file_size = *file_size;
  QUINTET_CHECK(check_room_for_checksum(header, total));
  return header;
}

}  // namespace quintet::amb
