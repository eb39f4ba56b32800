#include "formats/weights/vocabulary_section.h"

#include <algorithm>
#include <string>

#include "base/byte_reader.h"
#include "base/utf8.h"
#include "formats/weights/layout.h"

namespace quintet::weights {
namespace {

// Places in the file. The section is: header, tokens, perhaps zeros, special ids, perhaps zeros.
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
                        "the vocabulary reaches into the tensor index");
  }
  if (places.special < places.tokens || places.special_end > places.end) {
    const bool size_is_wrong = places.special_end == header.tensor_index_offset;
    return format_error(Reason::limit, size_is_wrong ? header_at::kVocabSize : special_field,
                        "special token ids at byte " + std::to_string(special) + " lie outside the vocabulary");
  }
  if (places.tokens_end > places.special) {
    const bool size_is_wrong = places.special_end == places.end;
    return format_error(Reason::limit, size_is_wrong ? size_field : special_field,
                        "tokens of " + std::to_string(tokens_size) + " bytes reach into the special token ids");
  }
  return places;
}

Status read_tokens(ByteReader in, uint32_t count, const Places& places, StringTable& tokens) {
  const uint64_t size_field = places.header + 4;
  // Writers let the special ids follow the tokens at once: where they do not, the size of the tokens is in doubt.
  const bool size_in_doubt = places.tokens_end != places.special;
  const auto wrong_count = [&](uint64_t fallback) {
    return format_error(Reason::limit, size_in_doubt ? size_field : fallback,
                        std::to_string(count) + " tokens do not fill the vocabulary's bytes");
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
      return format_error(Reason::invalid_utf8, at + sizeof(uint16_t) + *bad,
                          "token " + std::to_string(id) + " is not UTF-8");
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
      return format_error(Reason::limit, at + i * sizeof(uint32_t),
                          "special token id " + std::to_string(ids[i]) + " of " + std::to_string(tokens) + " tokens");
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
                      "a byte of the vocabulary that belongs to nothing is not 0");
}

}  // namespace

Result<TokenizerDescription> read_vocabulary(Bytes section, const Header& header) {
  ByteReader in(section, header.vocab_offset);
  QUINTET_TRY(const auto count, in.read<uint32_t>());
  QUINTET_TRY(const auto tokens_size, in.read<uint32_t>());
  QUINTET_TRY(const auto special, in.read<uint32_t>());
  QUINTET_TRY(const Places places, locate(in, header, tokens_size, special));
  QUINTET_TRY(const Bytes tokens, in.bytes(tokens_size));
  TokenizerDescription vocabulary;
  vocabulary.type = TokenizerType::wordpiece;
  QUINTET_CHECK(read_tokens(ByteReader(tokens, places.tokens), count, places, vocabulary.tokens));
  const Bytes ids = section.subspan(static_cast<size_t>(places.special - places.header), kSpecialIdBytes);
  QUINTET_TRY(vocabulary.special, read_special_ids(ids, places.special, count));
  QUINTET_CHECK(check_zeros(section, places.header, places.tokens_end, places.special));
  QUINTET_CHECK(check_zeros(section, places.header, places.special_end, places.end));
  return vocabulary;
}

}  // namespace quintet::weights
