#include "formats/amb/reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "base/checked.h"
#include "base/result.h"
#include "formats/amb/checked_input.h"
#include "formats/amb/layout.h"
#include "formats/amb/token_rules.h"
#include "formats/amb/tokenizer_config.h"
#include "formats/amb/tokenizer_section.h"
#include "formats/amb/weights_section.h"

namespace quintet::amb {
namespace {

// The 28 bytes that an AMB file begins with.
struct Header {
  uint16_t flags = 0;
  uint32_t metadata_size = 0, config_size = 0, tokenizer_size = 0;
  uint64_t weights_size = 0;
  uint64_t file_size = 0;  // according to the sizes above

  bool has_checksum() const;
};

Status check_magic(Bytes bytes) {
  const std::string_view found = as_text(bytes).substr(0, kMagic.size());
  if (!kMagic.starts_with(found)) {
    return format_error(Reason::bad_magic, header_at::kMagic, "the file does not begin with AMBEE");
  }
  if (bytes.size() == kHeaderBytes) return {};
  return format_error(Reason::truncated, bytes.size(), "the file ends inside its header");
}

Status check_version_and_flags(Bytes bytes) {
  const auto version = load_le<uint8_t>(bytes, header_at::kVersion);
  if (version != kVersion) {
    return at_offset(fail(Code::unsupported, Reason::bad_version, "version {}, expected 1", version),
                     header_at::kVersion);
  }
  const auto flags = load_le<uint16_t>(bytes, header_at::kFlags);
  if ((flags & ~kHasChecksum) == 0) return {};
  return unsupported_at(header_at::kFlags, "flags {}; only bit 0, a checksum, is supported", flags);
}

// A file that ends where its checksum should start: the flag is as likely wrong as the file is cut.
Status check_room_for_checksum(const Header& header, std::optional<uint64_t> total) {
  if (!header.has_checksum() || total != header.file_size - kChecksumBytes) return {};
  return format_error(Reason::truncated, header_at::kFlags,
                      "the flags announce a checksum, but the file ends before it");
}

bool Header::has_checksum() const { return (flags & kHasChecksum) != 0; }

// `bytes`: the available part of the header. `total`: the size of the file if it is known.
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
    return format_error(Reason::limit, header_at::kWeightsSize, "a weights section of {} bytes", header.weights_size);
  }
  header.file_size = *file_size;
  QUINTET_CHECK(check_room_for_checksum(header, total));
  return header;
}

class Reader {
 public:
  Reader(ByteStream& in, ModelSink& sink, ReadOptions options) : stream_(in), in_(in), sink_(sink), options_(options) {}

  // This object must outlive the parse.
  template <ReadDepth kDepth>
  Parse<void> read();

 private:
  Parse<void> read_file_header();
  Parse<void> read_json_section(uint64_t size, uint64_t size_at, std::string_view what, Json& json);
  Parse<void> read_tokenizer_section();
  Parse<void> read_weights_section();
  Parse<void> read_checksum();
  Parse<void> read_end();
  Status take_config();

  // Checks that a section of this size can start here. `size_at`: the position of the size in the header.
  Status check_section(uint64_t size, uint64_t size_at, std::string_view what) const;
  // The sizes in the header do not add up to that of the file, so an error in a section may be caused by its size.
  bool sizes_in_doubt() const { return stream_.length_known() && stream_.total() != header_.file_size; }

  ByteStream& stream_;
  CheckedInput in_;
  ModelSink& sink_;
  ReadOptions options_;
  Header header_;
  ModelDescription description_;
};

template <ReadDepth kDepth>
Parse<void> Reader::read() {
  QUINTET_CO_CHECK(co_await read_file_header());
  QUINTET_CO_CHECK(
      co_await read_json_section(header_.metadata_size, header_at::kMetadataSize, "metadata", description_.metadata));
  QUINTET_CO_CHECK(
      co_await read_json_section(header_.config_size, header_at::kConfigSize, "config", description_.config));
  QUINTET_CO_CHECK(take_config());
  QUINTET_CO_CHECK(co_await read_tokenizer_section());
  if constexpr (kDepth == ReadDepth::whole) {
    QUINTET_CO_CHECK(co_await read_weights_section());
    if (header_.has_checksum()) QUINTET_CO_CHECK(co_await read_checksum());
    QUINTET_CO_CHECK(co_await read_end());
  }
  co_return sink_.end(std::move(description_));
}

Parse<void> Reader::read_file_header() {
  QUINTET_CO_TRY(const Bytes ahead, co_await stream_.peek(kHeaderBytes));
  QUINTET_CO_TRY(header_, read_header(ahead, stream_.total()));
  if (header_.has_checksum() && options_.verify_checksums) in_.count_bytes();
  QUINTET_CO_CHECK(co_await in_.take(kHeaderBytes));
  description_.format = Format::amb;
  description_.kind = "AMB";
  description_.version_major = kVersion;
  description_.flags = header_.flags;
  description_.file_size = header_.file_size;
  co_return Status();
}

Parse<void> Reader::read_json_section(uint64_t size, uint64_t size_at, std::string_view what, Json& json) {
  QUINTET_CO_CHECK(check_section(size, size_at, what));
  const uint64_t at = in_.offset();
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.take(size));
  auto parsed = parse_json(as_text(bytes), at);
  if (!parsed) {
    // JSON that ends too early, or before its bytes do, has a different length than the header states.
    Error& error = parsed.error();
    const bool wrong_length = error.reason == Reason::trailing || error.offset == at + size;
    if (wrong_length && sizes_in_doubt()) error.offset = size_at;
  }
  QUINTET_CO_TRY(json, std::move(parsed));
  if (!json.as_object()) co_return format_error(Reason::malformed, at, "the {} is not an object", what);
  co_return Status();
}

Status Reader::take_config() {
  for (const std::string_view key : kRequiredConfig) {
    if (description_.config.find(key)) continue;
    return format_error(Reason::missing, kHeaderBytes + header_.metadata_size, "the config has no \"{}\"", key);
  }
  if (const std::string* name = description_.config.find(kArchitecture)->as_string()) description_.architecture = *name;
  return {};
}

Parse<void> Reader::read_tokenizer_section() {
  const uint64_t at = in_.offset();
  if (header_.tokenizer_size == 0) co_return Status();
  QUINTET_CO_CHECK(check_section(header_.tokenizer_size, header_at::kTokenizerSize, "tokenizer"));
  QUINTET_CO_TRY(const Bytes section, co_await in_.take(header_.tokenizer_size));
  auto tokenizer = read_tokenizer(section, at);
  if (!tokenizer && sizes_in_doubt()) tokenizer.error().offset = header_at::kTokenizerSize;
  QUINTET_CO_TRY(description_.tokenizer, std::move(tokenizer));
  take_large_ids(description_.config, description_.tokenizer.special);
  const uint64_t config_at = kHeaderBytes + header_.metadata_size;
  QUINTET_CO_CHECK(take_text_rules(description_.metadata, description_.config, config_at, description_.tokenizer));
  co_return take_token_rules(description_.config, config_at, description_.tokenizer);
}

Parse<void> Reader::read_weights_section() {
  QUINTET_CO_CHECK(check_section(header_.weights_size, header_at::kWeightsSize, "weights"));
  QUINTET_CO_CHECK(sink_.begin(description_));
  WeightsSection weights(in_, sink_, header_.weights_size, sizes_in_doubt());
  QUINTET_CO_TRY(description_.tensors, co_await weights.read());
  co_return Status();
}

Parse<void> Reader::read_checksum() {
  const uint64_t at = in_.offset();
  const uint32_t counted = in_.checksum();
  QUINTET_CO_TRY(const Bytes stored, co_await stream_.bytes(kChecksumBytes));
  if (!in_.counts_bytes() || load_le<uint32_t>(stored, 0) == counted) co_return Status();
  co_return format_error(Reason::checksum, at, "the checksum of the file does not match its bytes");
}

Parse<void> Reader::read_end() {
  QUINTET_CO_TRY(const Bytes more, co_await stream_.peek());
  if (more.empty()) co_return Status();
  // If there are no tensors at all, extra bytes are more likely tensors that the header does not count.
  co_return format_error(Reason::trailing, header_.weights_size == 0 ? header_at::kWeightsSize : in_.offset(),
                         "there are bytes after the end that the header announces");
}

Status Reader::check_section(uint64_t size, uint64_t size_at, std::string_view what) const {
  if (size <= stream_.remaining()) return {};
  return format_error(Reason::truncated, size_at, "a {} section of {} bytes, but the file ends after {}", what, size,
                      stream_.remaining());
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions options) {
  Reader reader(in, sink, options);
  Status status = co_await reader.read<ReadDepth::whole>();
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::amb));
  co_return Status();
}

Parse<void> read_head(ByteStream& in, ModelSink& sink) {
  Reader reader(in, sink, {.verify_checksums = false});
  Status status = co_await reader.read<ReadDepth::head>();
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::amb));
  co_return Status();
}

}  // namespace quintet::amb
