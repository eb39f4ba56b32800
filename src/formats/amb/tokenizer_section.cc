#include "formats/amb/tokenizer_section.h"

#include <limits>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/utf8.h"
#include "formats/amb/layout.h"
#include "formats/sentencepiece/model_proto.h"

namespace quintet::amb {
namespace {

constexpr size_t kLengthBytes = sizeof(uint16_t);
constexpr uint64_t kMinMergeBytes = kLengthBytes + 3;  // "a b"
constexpr uint64_t kIdBytes = sizeof(uint32_t);

std::optional<uint32_t> special_id(uint16_t stored) {
  return stored == kNoId ? std::nullopt : std::optional<uint32_t>(stored);
}

Result<SpecialIds> read_special_ids(ByteReader& in) {
  SpecialIds ids;
  for (std::optional<uint32_t>* id : {&ids.bos, &ids.eos, &ids.pad, &ids.unk, &ids.mask}) {
    QUINTET_TRY(const auto stored, in.read<uint16_t>());
    *id = special_id(stored);
  }
  return ids;
}

// A count of entries, each of at least `min` bytes.
Result<uint32_t> read_count(ByteReader& in, uint64_t min) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto count, in.read<uint32_t>());
  if (count <= in.remaining() / min) return count;
  return format_error(Reason::limit, at, "{} entries do not fit in {} bytes", count, in.remaining());
}

Result<std::string_view> read_text(ByteReader& in) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const auto length, in.read<uint16_t>());
  const auto bytes = in.bytes(length);
  if (!bytes) {
    return format_error(Reason::limit, at, "a string of {} bytes is longer than its section", length);
  }
  if (const auto bad = find_invalid_utf8(as_text(*bytes))) {
    return format_error(Reason::invalid_utf8, at + kLengthBytes + *bad, "a string of the tokenizer is not UTF-8");
  }
  return as_text(*bytes);
}

// Tokens up to the end of the section, each after its id if `ids` is given. If the section ends between two of them, or
// continues after the last, the count is wrong.
Status read_tokens(ByteReader& in, StringTable& tokens, std::vector<uint32_t>* ids) {
  const uint64_t count_at = in.offset();
  QUINTET_TRY(const uint32_t count, read_count(in, kLengthBytes + (ids ? kIdBytes : 0)));
  const auto wrong_count = [&] {
    return format_error(Reason::limit, count_at, "{} tokens do not fill the section", count);
  };
  for (uint32_t i = 0; i < count; ++i) {
    if (in.remaining() == 0) return wrong_count();
    if (ids) {
      QUINTET_TRY(const auto id, in.read<uint32_t>());
      ids->push_back(id);
    }
    QUINTET_TRY(const std::string_view token, read_text(in));
    if (!tokens.add(token)) return memory_error(StringTable::kMaxBytes);
  }
  return in.remaining() == 0 ? Status() : Status(wrong_count());
}

// "left right"
bool is_merge(std::string_view text) {
  const size_t space = text.find(' ');
  return space != std::string_view::npos && space == text.rfind(' ') && space != 0 && space + 1 != text.size();
}

Result<std::string_view> read_merge(ByteReader& in) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const std::string_view merge, read_text(in));
  if (is_merge(merge)) return merge;
  return format_error(Reason::malformed, at + kLengthBytes, "a merge is not two parts with one space between them");
}

bool vocabulary_begins(ByteReader in) {
  StringTable tokens;
  std::vector<uint32_t> ids;
  return read_tokens(in, tokens, &ids).has_value();
}

Status read_bpe(ByteReader& in, TokenizerDescription& tokenizer) {
  BpeDescription& bpe = tokenizer.kind.emplace<BpeDescription>();
  const uint64_t count_at = in.offset();
  QUINTET_TRY(const uint32_t count, read_count(in, kMinMergeBytes));
  for (uint32_t i = 0; i < count; ++i) {
    const ByteReader before = in;
    auto merge = read_merge(in);
    // The merges end here, regardless of the count.
    if (!merge && vocabulary_begins(before)) merge.error().offset = count_at;
    QUINTET_TRY(const std::string_view text, std::move(merge));
    if (!bpe.merges.add(text)) return memory_error(StringTable::kMaxBytes);
  }
  return read_tokens(in, tokenizer.tokens, &bpe.ids);
}

Result<TokenizerDescription> read_sentencepiece(ByteReader& in, const SpecialIds& special) {
  const uint64_t at = in.offset();
  QUINTET_TRY(const Bytes proto, in.bytes(in.remaining()));
  QUINTET_TRY(TokenizerDescription tokenizer, sentencepiece::read_model_proto(proto, at));
  tokenizer.special = special;  // the section's own, which may differ from those of the model
  return tokenizer;
}

Result<TokenizerDescription> read_vocabulary(uint8_t type, uint64_t type_at, const SpecialIds& special,
                                             ByteReader& in) {
  TokenizerDescription tokenizer;
  tokenizer.special = special;
  switch (type) {
    case kBpe:
      QUINTET_CHECK(read_bpe(in, tokenizer));
      return tokenizer;
    case kSentencePiece:
      return read_sentencepiece(in, special);
    case kWordPiece:
      tokenizer.kind.emplace<WordPieceDescription>();
      tokenizer.special.cls = special.bos;
      tokenizer.special.sep = special.eos;
      QUINTET_CHECK(read_tokens(in, tokenizer.tokens, nullptr));
      return tokenizer;
    case kCustom: {
      QUINTET_TRY(const Bytes opaque, in.bytes(in.remaining()));
      tokenizer.kind.emplace<CustomDescription>().section.assign(opaque.begin(), opaque.end());
      return tokenizer;
    }
    default:
      return unsupported_at(
          type_at, "tokenizer type {}; supported are 0 (BPE), 1 (SentencePiece), 2 (WordPiece) and 3 (custom)", type);
  }
}

TokenizerCode code_of(TokenizerType type) {
  switch (type) {
    case TokenizerType::bpe:
      return kBpe;
    case TokenizerType::sentencepiece:
      return kSentencePiece;
    case TokenizerType::wordpiece:
      return kWordPiece;
    default:
      return kCustom;
  }
}

Status put_head(const TokenizerDescription& tokenizer, ByteWriter& out) {
  out.put_zeros(kTokenizerHeadBytes);
  out.set(0, static_cast<uint8_t>(code_of(tokenizer.type())));
  const SpecialIds& special = tokenizer.special;
  // docs/formats/amb.md: for WordPiece, BOS is [CLS] and EOS is [SEP].
  const bool wordpiece = tokenizer.wordpiece() != nullptr;
  const auto bos = wordpiece && special.cls ? special.cls : special.bos;
  const auto eos = wordpiece && special.sep ? special.sep : special.eos;
  size_t at = 1;
  for (const auto& id : {bos, eos, special.pad, special.unk, special.mask}) {
    if (id && *id >= kNoId) {
      return input_error(Reason::limit, "special token id {}, at most 65534 is supported", *id);
    }
    out.set(at, id ? static_cast<uint16_t>(*id) : kNoId);
    at += sizeof(uint16_t);
  }
  return {};
}

Status put_text(std::string_view text, ByteWriter& out) {
  if (text.size() > std::numeric_limits<uint16_t>::max()) {
    return input_error(Reason::limit, "a token of {} bytes, at most 65535 are supported", text.size());
  }
  out.put(static_cast<uint16_t>(text.size()));
  out.put_text(text);
  return {};
}

Status put_texts(const StringTable& texts, ByteWriter& out) {
  out.put(static_cast<uint32_t>(texts.size()));
  for (size_t i = 0; i < texts.size(); ++i) QUINTET_CHECK(put_text(texts[i], out));
  return {};
}

Status put_bpe(const TokenizerDescription& tokenizer, ByteWriter& out) {
  QUINTET_CHECK(put_texts(tokenizer.bpe()->merges, out));
  out.put(static_cast<uint32_t>(tokenizer.tokens.size()));
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    out.put(tokenizer.id_at(i));
    QUINTET_CHECK(put_text(tokenizer.tokens[i], out));
  }
  return {};
}

Status put_sentencepiece(const TokenizerDescription& tokenizer, ByteWriter& out) {
  const std::vector<std::byte>& stored = tokenizer.sentencepiece()->proto;
  if (!stored.empty()) {
    out.put_bytes(stored);
    return {};
  }
  QUINTET_TRY(const std::vector<std::byte> proto, sentencepiece::write_model_proto(tokenizer));
  out.put_bytes(proto);
  return {};
}

Status put_vocabulary(const TokenizerDescription& tokenizer, ByteWriter& out) {
  if (tokenizer.bpe()) return put_bpe(tokenizer, out);
  if (tokenizer.sentencepiece()) return put_sentencepiece(tokenizer, out);
  if (tokenizer.wordpiece()) return put_texts(tokenizer.tokens, out);
  out.put_bytes(std::get_if<CustomDescription>(&tokenizer.kind)->section);
  return {};
}

}  // namespace

Result<TokenizerDescription> read_tokenizer(Bytes section, uint64_t base) {
  ByteReader in(section, base);
  QUINTET_TRY(const auto type, in.read<uint8_t>());
  QUINTET_TRY(const SpecialIds special, read_special_ids(in));
  QUINTET_TRY(TokenizerDescription tokenizer, read_vocabulary(type, base, special, in));
  tokenizer.stored_bytes = section.size();
  return tokenizer;
}

Result<std::vector<std::byte>> write_tokenizer(const TokenizerDescription& tokenizer) {
  ByteWriter out;
  if (tokenizer.type() == TokenizerType::none) return out.take();
  QUINTET_CHECK(put_head(tokenizer, out));
  QUINTET_CHECK(put_vocabulary(tokenizer, out));
  return out.take();
}

}  // namespace quintet::amb
