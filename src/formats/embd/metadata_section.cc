#include "formats/embd/metadata_section.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/embd/layout.h"

namespace quintet::embd {
namespace {

constexpr uint64_t kEntryHeaderBytes = 4;

// The size of the section is stored in the file's header and, without the section's own header, in the section.
Status check_total(const Header& header, uint32_t total) {
  const uint64_t size = kMetadataHeaderBytes + total;
  if (size == header.metadata_size) return {};
  // The one that ends where the next section starts is right.
  const uint64_t next = header.has(kVocabEmbedded) ? header.vocab_offset : header.tensor_index_offset;
  const bool header_is_wrong = header.metadata_offset + size == next;
  return format_error(Reason::mismatch, header_is_wrong ? header_at::kMetadataSize : header.metadata_offset + 4,
                      "metadata of {} bytes, but its entries have {}", header.metadata_size, total);
}

Result<std::string> read_string(ByteReader& in, uint16_t length, uint64_t length_field) {
  const uint64_t at = in.offset();
  auto bytes = in.bytes(length);
  if (!bytes) {
    return format_error(Reason::limit, length_field, "a string of {} bytes extends beyond the metadata", length);
  }
  if (const auto bad = find_invalid_utf8(as_text(*bytes))) {
    return format_error(Reason::invalid_utf8, at + *bad, "metadata that is not UTF-8");
  }
  return std::string(as_text(*bytes));
}

Result<MetadataEntry> read_entry(ByteReader& in) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto key_length, in.read<uint16_t>());
  QUINTET_TRY(const auto value_length, in.read<uint16_t>());
  QUINTET_TRY(std::string key, read_string(in, key_length, at));
  const uint64_t value_offset = in.offset();
  QUINTET_TRY(std::string value, read_string(in, value_length, at + 2));
  return MetadataEntry{.key = std::move(key), .value = std::move(value), .value_offset = value_offset};
}

Status check_unique(const Metadata& metadata) {
  std::vector<std::string_view> keys;
  keys.reserve(metadata.size());
  for (const MetadataEntry& entry : metadata) keys.push_back(entry.key);
  const std::optional<size_t> twice = find_duplicate(keys);
  if (!twice) return {};
  const MetadataEntry& entry = metadata[*twice];
  return format_error(Reason::duplicate, entry.value_offset - entry.key.size(), "metadata key \"{}\" occurs twice",
                      entry.key);
}

}  // namespace

const MetadataEntry* find(const Metadata& metadata, std::string_view key) {
  const auto found = std::ranges::find(metadata, key, &MetadataEntry::key);
  return found == metadata.end() ? nullptr : &*found;
}

Result<Metadata> read_metadata(Bytes section, const Header& header) {
  ByteReader in(section, header.metadata_offset);
  QUINTET_TRY(const auto count, in.read<uint32_t>());
  QUINTET_TRY(const auto total, in.read<uint32_t>());
  QUINTET_CHECK(check_total(header, total));
  const auto wrong_count = [&] {
    return format_error(Reason::limit, header.metadata_offset, "{} entries do not fill the metadata", count);
  };
  Metadata metadata;
  for (uint32_t i = 0; i < count; ++i) {
    if (in.remaining() < kEntryHeaderBytes) return wrong_count();
    QUINTET_TRY(MetadataEntry entry, read_entry(in));
    metadata.push_back(std::move(entry));
  }
  if (in.remaining() != 0) return wrong_count();
  QUINTET_CHECK(check_unique(metadata));
  return metadata;
}

}  // namespace quintet::embd
