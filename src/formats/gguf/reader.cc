#include "formats/gguf/reader.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_stream.h"
#include "base/checked.h"
#include "formats/gguf/layout.h"
#include "formats/gguf/metadata.h"
#include "formats/gguf/tensor_index.h"
#include "formats/gguf/vocabulary.h"
#include "formats/model_sink.h"

namespace quintet::gguf {
namespace {

class FileReader {
 public:
  FileReader(ByteStream& in, ModelSink& sink) : in_(in), sink_(sink) {}

  // This object must outlive the parse.
  template <ReadDepth kDepth>
  Parse<void> read();

 private:
  Parse<void> read_header();
  template <ReadDepth kDepth>
  Parse<void> read_description();
  Parse<void> read_data();
  // Checks the count at this position, of entries with at least this many bytes each.
  Status check_count(uint64_t at, uint64_t count, uint64_t min_bytes) const;
  Status check_file_size(uint64_t data_end) const;
  // Reads bytes up to `end`, which must be zero.
  Parse<void> padding_until(uint64_t end);
  // After the last tensor there may be padding or nothing.
  Parse<void> read_end();

  ByteStream& in_;
  ModelSink& sink_;
  uint64_t tensor_count_ = 0;
  uint64_t value_count_ = 0;
  uint64_t alignment_ = 0;
  ModelDescription description_;
};

Status check_version(uint32_t version) {
  if (version >= kOldestVersion && version <= kNewestVersion) return {};
  const uint32_t swapped = version >> 24;
  const bool big_endian = (version & 0xFFFFFF) == 0 && swapped != 0;
  return at_offset(
      big_endian
          ? fail(Code::unsupported, Reason::bad_version, "a big-endian file; only little-endian files are supported")
          : fail(Code::unsupported, Reason::bad_version, "version {}; supported are 2 and 3", version),
      header_at::kVersion);
}

// The alignment of tensors.
Result<uint64_t> read_alignment(const Metadata& metadata) {
  const Json* value = metadata.find(kAlignmentKey);
  if (!value) return kDefaultAlignment;
  const uint64_t alignment = value->as_uint().value_or(0);
  if (alignment >= kMinAlignment && alignment <= UINT32_MAX && std::has_single_bit(alignment)) return alignment;
  return format_error(Reason::malformed, metadata.place_of(kAlignmentKey), "{} is not a power of two of at least 8",
                      kAlignmentKey);
}

template <ReadDepth kDepth>
Parse<void> FileReader::read() {
  QUINTET_CO_CHECK(co_await read_header());
  QUINTET_CO_CHECK(co_await read_description<kDepth>());
  if constexpr (kDepth == ReadDepth::whole) {
    QUINTET_CO_CHECK(sink_.begin(description_));
    QUINTET_CO_CHECK(co_await read_data());
    QUINTET_CO_CHECK(co_await read_end());
    description_.file_size = in_.offset();
  }
  co_return sink_.end(std::move(description_));
}

Parse<void> FileReader::read_header() {
  QUINTET_CO_TRY(const Bytes header, co_await in_.bytes(kHeaderBytes));
  if (!as_text(header).starts_with(kMagic)) co_return format_error(Reason::bad_magic, 0, "not a GGUF file");
  const auto version = load_le<uint32_t>(header, header_at::kVersion);
  QUINTET_CO_CHECK(check_version(version));
  tensor_count_ = load_le<uint64_t>(header, header_at::kTensorCount);
  value_count_ = load_le<uint64_t>(header, header_at::kValueCount);
  QUINTET_CO_CHECK(check_count(header_at::kTensorCount, tensor_count_, kMinTensorBytes));
  QUINTET_CO_CHECK(check_count(header_at::kValueCount, value_count_, kMinValueBytes));
  description_.format = Format::gguf;
  description_.kind = "GGUF";
  description_.version_major = static_cast<uint16_t>(version);
  description_.file_size = in_.total();
  co_return Status();
}

Status FileReader::check_count(uint64_t at, uint64_t count, uint64_t min_bytes) const {
  if (count <= in_.remaining() / min_bytes) return {};
  return format_error(Reason::limit, at, "a count of {} is more than the file can contain", count);
}

template <ReadDepth kDepth>
Parse<void> FileReader::read_description() {
  QUINTET_CO_TRY(Metadata metadata, co_await read_metadata(in_, value_count_));
  QUINTET_CO_TRY(alignment_, read_alignment(metadata));
  QUINTET_CO_TRY(description_.tokenizer, read_vocabulary(metadata));
  const Json* architecture = metadata.find("general.architecture");
  if (architecture && architecture->as_string()) description_.architecture = *architecture->as_string();
  description_.metadata = std::move(metadata.values);
  if constexpr (kDepth == ReadDepth::head) co_return Status();

  QUINTET_CO_TRY(TensorIndex index, co_await read_tensor_index(in_, tensor_count_));
  const uint64_t index_end = in_.offset();
  const uint64_t data_begin = align_up(index_end, alignment_);
  QUINTET_CO_CHECK(place_tensors(index, data_begin, alignment_));
  split_stacks(index.tensors);
  description_.tensors = std::move(index.tensors);
  const bool empty = description_.tensors.empty();
  const uint64_t data_end = empty ? index_end : description_.tensors.back().offset + description_.tensors.back().bytes;
  QUINTET_CO_CHECK(check_file_size(data_end));
  co_return Status();
}

Status FileReader::check_file_size(uint64_t data_end) const {
  if (!in_.length_known()) return {};
  const uint64_t total = *in_.total();
  const uint64_t padded_end = align_up(data_end, alignment_);
  if (total == data_end || total == padded_end) return {};
  const bool too_short = total < padded_end;
  return format_error(too_short ? Reason::truncated : Reason::trailing, std::min(total, padded_end),
                      "the tensors end at byte {}, but the file has {}", data_end, total);
}

Parse<void> FileReader::read_data() {
  for (const TensorInfo& info : description_.tensors) {
    QUINTET_CO_CHECK(co_await padding_until(info.offset));
    QUINTET_CO_CHECK(co_await read_tensor_data(in_, sink_, info));
  }
  co_return Status();
}

Parse<void> FileReader::padding_until(uint64_t end) {
  while (in_.offset() < end) {
    const uint64_t at = in_.offset();
    QUINTET_CO_TRY(const Bytes piece, co_await in_.some(end - at));
    const auto bad = std::ranges::find_if(piece, [](std::byte byte) { return byte != std::byte{0}; });
    if (bad == piece.end()) continue;
    co_return format_error(Reason::malformed, at + static_cast<uint64_t>(bad - piece.begin()),
                           "the padding has a byte that is not 0");
  }
  co_return Status();
}

Parse<void> FileReader::read_end() {
  QUINTET_CO_TRY(const Bytes more, co_await in_.peek());
  if (more.empty()) co_return Status();
  const uint64_t end = align_up(in_.offset(), alignment_);
  QUINTET_CO_CHECK(co_await padding_until(end));
  QUINTET_CO_TRY(const Bytes beyond, co_await in_.peek());
  if (!beyond.empty()) co_return format_error(Reason::trailing, end, "there are bytes after the last tensor");
  co_return Status();
}

}  // namespace

Parse<void> read(ByteStream& in, ModelSink& sink, ReadOptions) {
  FileReader reader(in, sink);
  Status status = co_await reader.read<ReadDepth::whole>();
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::gguf));
  co_return Status();
}

Parse<void> read_head(ByteStream& in, ModelSink& sink) {
  FileReader reader(in, sink);
  Status status = co_await reader.read<ReadDepth::head>();
  if (!status) co_return in_format(failure_of(std::move(status)), name_of(Format::gguf));
  co_return Status();
}

}  // namespace quintet::gguf
