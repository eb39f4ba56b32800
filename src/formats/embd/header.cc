#include "formats/embd/header.h"

#include <string>

#include "base/byte_reader.h"
#include "base/checked.h"
#include "base/hash.h"
#include "formats/embd/layout.h"

namespace quintet::embd {
namespace {

Header decode(Bytes bytes) {
  namespace at = header_at;
  return {.version_major = load_le<uint16_t>(bytes, at::kVersionMajor),
          .version_minor = load_le<uint16_t>(bytes, at::kVersionMinor),
          .flags = load_le<uint32_t>(bytes, at::kFlags),
          .metadata_offset = load_le<uint32_t>(bytes, at::kMetadataOffset),
          .metadata_size = load_le<uint32_t>(bytes, at::kMetadataSize),
          .vocab_offset = load_le<uint32_t>(bytes, at::kVocabOffset),
          .vocab_size = load_le<uint32_t>(bytes, at::kVocabSize),
          .tensor_index_offset = load_le<uint32_t>(bytes, at::kTensorIndexOffset),
          .tensor_index_count = load_le<uint32_t>(bytes, at::kTensorIndexCount),
          .tensor_data_offset = load_le<uint32_t>(bytes, at::kTensorDataOffset),
          .tensor_data_size = load_le<uint64_t>(bytes, at::kTensorDataSize),
          .total_file_size = load_le<uint64_t>(bytes, at::kTotalFileSize)};
}

Status check_version(const Header& header, uint32_t reserved) {
  if (header.version_major != kVersionMajor) {
    return at_offset(fail(header.version_major > kVersionMajor ? Code::unsupported : Code::format, Reason::bad_version,
                          "version {}, expected {}", header.version_major, kVersionMajor),
                     header_at::kVersionMajor);
  }
  if (header.has(kCompressed)) return unsupported_at(header_at::kFlags, "compressed tensor data is not supported");
  if ((header.flags & ~kKnownFlags) != 0) {
    return unsupported_at(header_at::kFlags, "unknown flags {}; supported are {}", header.flags & ~kKnownFlags,
                          kKnownFlags & ~kCompressed);
  }
  // A newer minor version may use this field for something that older readers can ignore.
  if (reserved != 0 && header.version_minor == kVersionMinor) {
    return format_error(Reason::malformed, header_at::kReserved, "the reserved field of the header is not 0");
  }
  return {};
}

Status check_size(const Header& header, std::optional<uint64_t> file_size) {
  const uint64_t total = header.total_file_size;
  if (total < kHeaderBytes + kFooterBytes) {
    return format_error(Reason::limit, header_at::kTotalFileSize,
                        "a file size of {} bytes is too small for header and footer", total);
  }
  if (!file_size || *file_size == total) return {};
  const std::string found = formatted("the header says {} bytes, but the file has {}", total, *file_size);
  // If the sections agree with the header, the file was cut or extended.
  if (!header.data_meets_footer()) return format_error(Reason::mismatch, header_at::kTotalFileSize, "{}", found);
  if (*file_size < total) return format_error(Reason::truncated, *file_size, "{}", found);
  return format_error(Reason::trailing, total, "{}", found);
}

// Checks that a section at `offset` with at least `min` bytes is between header and footer.
Status check_section(const Header& header, std::string_view name, uint64_t offset, uint64_t min, size_t offset_field) {
  if (offset >= kHeaderBytes && fits(offset, min, header.footer_offset())) return {};
  return format_error(Reason::limit, offset_field, "{} at byte {} is not between header and footer", name, offset);
}

Status check_section_size(const Header& header, std::string_view name, uint64_t offset, uint64_t size, uint64_t min,
                          size_t size_field) {
  if (size >= min && fits(offset, size, header.footer_offset())) return {};
  return format_error(Reason::limit, size_field, "{} cannot have {} bytes", name, size);
}

Status check_sections(const Header& header) {
  namespace at = header_at;
  QUINTET_CHECK(
      check_section(header, "the metadata", header.metadata_offset, kMetadataHeaderBytes, at::kMetadataOffset));
  QUINTET_CHECK(check_section_size(header, "the metadata", header.metadata_offset, header.metadata_size,
                                   kMetadataHeaderBytes, at::kMetadataSize));
  if (header.has(kVocabEmbedded)) {
    constexpr uint64_t kMin = kVocabularyHeaderBytes + kSpecialIdBytes;
    QUINTET_CHECK(
        check_section(header, "the vocabulary", header.vocab_offset, kVocabularyHeaderBytes, at::kVocabOffset));
    QUINTET_CHECK(
        check_section_size(header, "the vocabulary", header.vocab_offset, header.vocab_size, kMin, at::kVocabSize));
  } else if (header.vocab_size != 0) {
    return format_error(Reason::mismatch, at::kVocabSize, "there is a vocabulary, but the flags say there is none");
  }
  QUINTET_CHECK(
      check_section(header, "the tensor index", header.tensor_index_offset, kDescriptorBytes, at::kTensorIndexOffset));
  if (header.tensor_index_count == 0) {
    return format_error(Reason::malformed, at::kTensorIndexCount, "the file has no tensors");
  }
  return check_section(header, "the tensor data", header.tensor_data_offset, 0, at::kTensorDataOffset);
}

}  // namespace

uint64_t Header::footer_offset() const { return total_file_size - kFooterBytes; }

bool Header::data_meets_footer() const {
  return checked_add(tensor_data_offset + kFooterBytes, tensor_data_size) == total_file_size;
}

bool header_checksum_is_right(Bytes bytes) {
  return crc32(bytes.first(header_at::kHeaderChecksum)) == load_le<uint32_t>(bytes, header_at::kHeaderChecksum);
}

Result<Header> read_header(Bytes bytes, std::optional<uint64_t> file_size) {
  if (!header_checksum_is_right(bytes)) {
    return format_error(Reason::checksum, header_at::kHeaderChecksum,
                        "the checksum of the header does not match its bytes");
  }
  const Header header = decode(bytes);
  QUINTET_CHECK(check_version(header, load_le<uint32_t>(bytes, header_at::kReserved)));
  QUINTET_CHECK(check_size(header, file_size));
  QUINTET_CHECK(check_sections(header));
  return header;
}

}  // namespace quintet::embd
