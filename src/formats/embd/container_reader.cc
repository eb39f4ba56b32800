#include "formats/embd/container_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "base/checked.h"
#include "base/result.h"
#include "base/utf8.h"
#include "formats/embd/encoder_sizes.h"
#include "formats/embd/layout.h"
#include "formats/embd/tensor_index.h"
#include "formats/model_description.h"
#include "formats/model_sink.h"

namespace quintet::embd {
namespace {

// Positions in the file. The section is: header, tokens, zeros (optional), special ids, zeros (optional).
struct Places {
  uint64_t header, tokens, tokens_end, special, special_end, end;
};

Result<Places> locate(ByteReader& in, const Header& header, uint32_t tokens_size, uint32_t special) {
  const Places places = {.header = header.vocab_offset,
                         .tokens = in.offset(),
                         .tokens_end = in.offset() + tokens_size,
                         .special = special,
                         .special_end = special + kSpecialIdBytes,
                         .end = uint64_t{header.vocab_offset} + header.vocab_size};
  const uint64_t size_field = places.header + 4;
  const uint64_t special_field = places.header + 8;
  if (places.end > header.tensor_index_offset) {
    const bool size_is_wrong = places.special_end <= header.tensor_index_offset;
    return format_error(Reason::limit, size_is_wrong ? header_at::kVocabSize : header_at::kTensorIndexOffset,
                        "the vocabulary overlaps the tensor index");
  }
  if (places.special < places.tokens || places.special_end > places.end) {
    const bool size_is_wrong = places.special_end == header.tensor_index_offset;
    return format_error(Reason::limit, size_is_wrong ? header_at::kVocabSize : special_field,
                        "special token ids at byte {} are outside the vocabulary", special);
  }
  if (places.tokens_end > places.special) {
    const bool size_is_wrong = places.special_end == places.end;
    return format_error(Reason::limit, size_is_wrong ? size_field : special_field,
                        "tokens of {} bytes overlap the special token ids", tokens_size);
  }
  return places;
}

Status read_tokens(ByteReader in, uint32_t count, const Places& places, StringTable& tokens) {
  const uint64_t size_field = places.header + 4;
  // Writers place the special ids right after the tokens. If they are elsewhere, the size of the tokens is in doubt.
  const bool size_in_doubt = places.tokens_end != places.special;
  const auto wrong_count = [&](uint64_t fallback) {
    return format_error(Reason::limit, size_in_doubt ? size_field : fallback,
                        "{} tokens do not fill the vocabulary's bytes", count);
  };
  if (count > in.remaining() / sizeof(uint16_t)) return wrong_count(places.header);
  tokens.reserve(count, in.remaining() - count * sizeof(uint16_t));
  for (uint32_t id = 0; id < count; ++id) {
    const uint64_t at = in.offset();
    const auto length = in.read<uint16_t>();
    if (!length) return wrong_count(places.header);
    const auto bytes = in.bytes(*length);
    if (!bytes) return wrong_count(at);
    if (const auto bad = find_invalid_utf8(as_text(*bytes))) {
      return format_error(Reason::invalid_utf8, at + sizeof(uint16_t) + *bad, "token {} is not UTF-8", id);
    }
    if (!tokens.add(as_text(*bytes))) return memory_error(StringTable::kMaxBytes);
  }
  if (in.remaining() != 0) return wrong_count(places.header);
  return {};
}

Result<SpecialIds> read_special_ids(Bytes bytes, uint64_t at, uint32_t tokens) {
  uint32_t ids[kSpecialIds];
  for (size_t i = 0; i < kSpecialIds; ++i) {
    ids[i] = load_le<uint32_t>(bytes, i * sizeof(uint32_t));
    if (ids[i] >= tokens) {
      return format_error(Reason::limit, at + i * sizeof(uint32_t), "special token id {} of {} tokens", ids[i], tokens);
    }
  }
  return SpecialIds{.bos = std::nullopt,
                    .eos = std::nullopt,
                    .pad = ids[0],
                    .unk = ids[1],
                    .mask = ids[4],
                    .cls = ids[2],
                    .sep = ids[3]};
}

Status check_zeros(Bytes section, uint64_t section_at, uint64_t begin, uint64_t end) {
  const Bytes gap = section.subspan(static_cast<size_t>(begin - section_at), static_cast<size_t>(end - begin));
  const auto bad = std::ranges::find_if(gap, [](std::byte byte) { return byte != std::byte{0}; });
  if (bad == gap.end()) return {};
  return format_error(Reason::malformed, begin + static_cast<uint64_t>(bad - gap.begin()),
                      "an unused byte of the vocabulary is not 0");
}

// `section` is the whole section, including its header.
Result<TokenizerDescription> read_vocabulary(Bytes section, const Header& header) {
  ByteReader in(section, header.vocab_offset);
  QUINTET_TRY(const auto count, in.read<uint32_t>());
  QUINTET_TRY(const auto tokens_size, in.read<uint32_t>());
  QUINTET_TRY(const auto special, in.read<uint32_t>());
  QUINTET_TRY(const Places places, locate(in, header, tokens_size, special));
  QUINTET_TRY(const Bytes tokens, in.bytes(tokens_size));
  TokenizerDescription vocabulary;
  vocabulary.kind.emplace<WordPieceDescription>();
  QUINTET_CHECK(read_tokens(ByteReader(tokens, places.tokens), count, places, vocabulary.tokens));
  const Bytes ids = section.subspan(static_cast<size_t>(places.special - places.header), kSpecialIdBytes);
  QUINTET_TRY(vocabulary.special, read_special_ids(ids, places.special, count));
  QUINTET_CHECK(check_zeros(section, places.header, places.tokens_end, places.special));
  QUINTET_CHECK(check_zeros(section, places.header, places.special_end, places.end));
  return vocabulary;
}

}  // namespace

template <ReadDepth kDepth>
Parse<void> ContainerReader::read() {
  QUINTET_CO_TRY(const Bytes header, co_await take(kHeaderBytes));
  QUINTET_CO_TRY(header_, read_header(header, in_.total()));
  description_.kind = "EMBD";
  description_.version_major = header_.version_major;
  description_.version_minor = header_.version_minor;
  description_.flags = header_.flags;
  description_.file_size = header_.total_file_size;
  QUINTET_CO_CHECK(co_await read_metadata_section());
  if (header_.has(kVocabEmbedded)) QUINTET_CO_CHECK(co_await read_vocabulary_section());
  if constexpr (kDepth == ReadDepth::whole) {
    QUINTET_CO_CHECK(co_await read_tensor_index());
    QUINTET_CO_CHECK(sink_.begin(description_));
    QUINTET_CO_CHECK(co_await read_data_section());
    QUINTET_CO_CHECK(co_await read_footer());
    QUINTET_CO_CHECK(co_await read_end());
  }
  co_return sink_.end(std::move(description_));
}

template Parse<void> ContainerReader::read<ReadDepth::head>();
template Parse<void> ContainerReader::read<ReadDepth::whole>();

Parse<void> ContainerReader::read_metadata_section() {
  QUINTET_CO_CHECK(co_await zeros_until(header_.metadata_offset, header_at::kMetadataOffset));
  QUINTET_CO_TRY(const Bytes section, co_await take(header_.metadata_size));
  QUINTET_CO_TRY(metadata_, read_metadata(section, header_));
  const bool vocabulary_follows = header_.has(kVocabEmbedded);
  const uint64_t next = vocabulary_follows ? header_.vocab_offset : header_.tensor_index_offset;
  if (in_.offset() > next) {
    co_return format_error(Reason::limit, vocabulary_follows ? header_at::kVocabOffset : header_at::kTensorIndexOffset,
                           "a section at byte {} begins before the metadata ends", next);
  }
  for (const MetadataEntry& entry : metadata_) description_.metadata.append(entry.key, entry.value);
  co_return Status();
}

Parse<void> ContainerReader::read_vocabulary_section() {
  QUINTET_CO_CHECK(co_await zeros_until(header_.vocab_offset, header_at::kVocabOffset));
  QUINTET_CO_TRY(const Bytes section, co_await take(header_.vocab_size));
  QUINTET_CO_TRY(description_.tokenizer, read_vocabulary(section, header_));
  co_return Status();
}

Parse<void> ContainerReader::read_tensor_index() {
  QUINTET_CO_CHECK(co_await zeros_until(header_.tensor_index_offset, header_at::kTensorIndexOffset));
  QUINTET_CO_TRY(const uint64_t bytes, descriptors_bytes(header_));
  QUINTET_CO_TRY(const Bytes gathered, co_await take(bytes));
  const std::vector<std::byte> descriptors(gathered.begin(), gathered.end());  // `gathered` ends with the next request
  QUINTET_CO_TRY(TensorIndex index, read_descriptors(descriptors, header_));
  QUINTET_CO_TRY(const Bytes names, co_await take(index.names_bytes));
  QUINTET_CO_CHECK(read_names(names, descriptors, header_, index));
  QUINTET_CO_CHECK(check_data_size(in_.offset()));
  QUINTET_CO_TRY(const EncoderSizes sizes, read_encoder_sizes(metadata_, header_.metadata_offset));
  QUINTET_CO_CHECK(check_encoder_sizes(sizes, metadata_, header_, description_.tokenizer.tokens, index.tensors));
  QUINTET_CO_CHECK(place_tensors(header_, index.tensors));
  QUINTET_CO_CHECK(check_scales(header_, metadata_, index.tensors));
  QUINTET_CO_CHECK(co_await zeros_until(header_.tensor_data_offset, std::nullopt));
  description_.tensors = std::move(index.tensors);
  co_return Status();
}

Status ContainerReader::check_data_size(uint64_t index_end) const {
  if (header_.data_meets_footer()) return {};
  const uint64_t begin = header_.tensor_data_offset;
  const bool follows_index = begin == index_end || begin == align_up(index_end, kTensorAlignment);
  return format_error(Reason::limit, follows_index ? header_at::kTensorDataSize : header_at::kTensorDataOffset,
                      "tensor data of {} bytes at byte {} does not end where the footer begins",
                      header_.tensor_data_size, begin);
}

Parse<void> ContainerReader::read_data_section() {
  in_data_ = true;
  const TensorInfo* before = nullptr;
  for (const uint32_t tensor : data_order(description_.tensors)) {
    const TensorInfo& info = description_.tensors[tensor];
    QUINTET_CO_CHECK(co_await zeros_until(info.offset, blame_for_gap(before, info.offset - in_.offset())));
    QUINTET_CO_CHECK(co_await read_tensor_data(in_, sink_, info, checks_data() ? &data_crc_ : nullptr));
    before = &info;
  }
  const uint64_t end = header_.footer_offset();
  co_return co_await zeros_until(end, blame_for_gap(before, end - in_.offset()));
}

std::optional<uint64_t> ContainerReader::blame_for_gap(const TensorInfo* before, uint64_t gap) const {
  // Padding is shorter than the alignment. A longer gap means that the previous tensor is larger than it claims.
  if (!before || gap < kTensorAlignment) return std::nullopt;
  const auto tensor = static_cast<size_t>(before - description_.tensors.data());
  return descriptor_offset(header_, tensor) + descriptor_at::kDtype;
}

Parse<void> ContainerReader::read_footer() {
  const uint64_t at = in_.offset();
  QUINTET_CO_TRY(const Bytes footer, co_await in_.bytes(kFooterBytes));
  if (as_text(footer.subspan(footer_at::kMagic, kEndMagic.size())) != kEndMagic) {
    co_return format_error(Reason::malformed, at + footer_at::kMagic, "the footer does not end with DBME");
  }
  if (load_le<uint32_t>(footer, footer_at::kReserved) != 0 && header_.version_minor == kVersionMinor) {
    co_return format_error(Reason::malformed, at + footer_at::kReserved, "the reserved field of the footer is not 0");
  }
  if (!checks_data()) co_return Status();
  if (load_le<uint32_t>(footer, footer_at::kDataChecksum) != data_crc_.value()) {
    co_return format_error(Reason::checksum, at + footer_at::kDataChecksum,
                           "the checksum of the tensor data does not match its bytes");
  }
  const uint32_t file_crc = crc32_combine(sections_crc_.value(), data_crc_.value(), header_.tensor_data_size);
  if (load_le<uint32_t>(footer, footer_at::kFileChecksum) != file_crc) {
    co_return format_error(Reason::checksum, at + footer_at::kFileChecksum,
                           "the checksum of the file does not match its bytes");
  }
  co_return Status();
}

Parse<void> ContainerReader::read_end() {
  QUINTET_CO_TRY(const Bytes more, co_await in_.peek());
  if (more.empty()) co_return Status();
  co_return format_error(Reason::trailing, in_.offset(), "there are bytes after the footer");
}

Parse<Bytes> ContainerReader::take(uint64_t n) {
  QUINTET_CO_TRY(const Bytes bytes, co_await in_.bytes(n));
  count_in_checksum(bytes);
  co_return bytes;
}

Parse<void> ContainerReader::zeros_until(uint64_t end, std::optional<uint64_t> blame) {
  while (in_.offset() < end) {
    const uint64_t at = in_.offset();
    QUINTET_CO_TRY(const Bytes gap, co_await in_.some(end - at));
    count_in_checksum(gap);
    const auto bad = std::ranges::find_if(gap, [](std::byte byte) { return byte != std::byte{0}; });
    if (bad == gap.end()) continue;
    const uint64_t place = at + static_cast<uint64_t>(bad - gap.begin());
    co_return format_error(Reason::malformed, blame.value_or(place), "byte {} is unused but not 0", place);
  }
  co_return Status();
}

bool ContainerReader::checks_data() const { return options_.verify_checksums && header_.has(kChecksumEnabled); }

void ContainerReader::count_in_checksum(Bytes bytes) {
  if (!options_.verify_checksums) return;
  (in_data_ ? data_crc_ : sections_crc_).update(bytes);
}

}  // namespace quintet::embd
