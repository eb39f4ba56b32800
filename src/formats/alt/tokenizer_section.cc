#include "formats/alt/tokenizer_section.h"

#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "formats/alt/parameters_section.h"
#include "formats/alt/section.h"
#include "formats/alt/token_layout.h"

namespace quintet::alt {
namespace {

constexpr std::string_view kTokenizerName = "tokenizer";
constexpr uint64_t kMinTokenizerBytes = tokenizer_at::kIdsEnd + kMinTokenBytes;

Result<uint32_t> read_count(Bytes bytes, const Section& section) {
  const auto count = load_le<int32_t>(bytes, tokenizer_at::kCount);
  if (count > 0 && static_cast<uint64_t>(count) <= section.size / kMinTokenBytes) return static_cast<uint32_t>(count);
  return format_error(Reason::limit, section.fields_at() + tokenizer_at::kCount, "{} tokens in a section of {} bytes",
                      count, section.size);
}

Result<std::optional<uint32_t>> read_id(Bytes bytes, size_t place, const Section& section, uint32_t count) {
  const auto id = load_le<int32_t>(bytes, place);
  if (id == kNoId) return std::nullopt;
  if (id >= 0 && static_cast<uint32_t>(id) < count) return static_cast<uint32_t>(id);
  return format_error(Reason::limit, section.fields_at() + place, "special token id {} of {} tokens", id, count);
}

Result<SpecialIds> read_special_ids(Bytes bytes, const Section& section, uint32_t count) {
  SpecialIds ids;
  QUINTET_TRY(ids.bos, read_id(bytes, tokenizer_at::kBos, section, count));
  QUINTET_TRY(ids.eos, read_id(bytes, tokenizer_at::kEos, section, count));
  QUINTET_TRY(ids.pad, read_id(bytes, tokenizer_at::kPad, section, count));
  QUINTET_TRY(ids.unk, read_id(bytes, tokenizer_at::kUnk, section, count));
  return ids;
}

Status check_token(const Token& token, uint32_t id, const TokenLayout& layout) {
  const std::string name = formatted("token {}", id);
  if (!is_token_type(token.type, layout.is_reference)) {
    return format_error(Reason::unknown_value, token.type_at, "{} has the unknown type {}", name, token.type);
  }
  if (layout.is_reference && token.id != static_cast<int32_t>(id)) {
    return format_error(Reason::mismatch, token.id_at, "{} has the id {}", name, token.id);
  }
  if (std::isnan(token.score)) {
    return format_error(Reason::malformed, token.score_at, "{} has a score that is not a number", name);
  }
  return {};
}

Status read_tokens(ByteReader in, uint32_t count, const TokenLayout& layout, TokenizerDescription& out) {
  std::vector<float>& scores = out.kind.emplace<SentencePieceDescription>().scores;
  for (uint32_t id = 0; id < count; ++id) {
    QUINTET_TRY(const Token token, read_token(in, layout));
    QUINTET_CHECK(check_token(token, id, layout));
    if (!out.tokens.add(token.text)) return memory_error(StringTable::kMaxBytes);
    scores.push_back(token.score);
    out.piece_types.push_back(piece_type(token.text, id, token.type, layout.is_reference, out.special));
  }
  return {};
}

Status read_seq_len(Bytes bytes, const Section& section, Json& config) {
  const auto seq_len = load_le<int32_t>(bytes, tokenizer_at::kSeqLen);
  if (seq_len < 0) {
    return format_error(Reason::limit, section.fields_at() + tokenizer_at::kSeqLen, "seq_len is {}", seq_len);
  }
  config.append(kSeqLen, int64_t{seq_len});
  return {};
}

Result<uint64_t> read_tokenizer_fields(Bytes bytes, const Section& section, ModelDescription& description) {
  if (bytes.size() < kMinTokenizerBytes) {
    return format_error(Reason::truncated, section.fields_at() + bytes.size(),
                        "the file ends in the tokenizer section");
  }
  TokenizerDescription& tokenizer = description.tokenizer;
  QUINTET_TRY(const uint32_t count, read_count(bytes, section));
  QUINTET_TRY(const FittingLayout fitting, find_layout(bytes, section, count));
  QUINTET_TRY(tokenizer.special, read_special_ids(bytes, section, count));
  if (fitting.layout.has_seq_len) QUINTET_CHECK(read_seq_len(bytes, section, description.config));
  const size_t tokens_at = static_cast<size_t>(fitting.layout.tokens_at());
  QUINTET_CHECK(read_tokens(ByteReader(bytes.subspan(tokens_at), section.fields_at() + tokens_at), count,
                            fitting.layout, tokenizer));
  tokenizer.stored_bytes = fitting.fields;
  return fitting.fields;
}

Status check_writable(const TokenizerDescription& tokenizer) {
  if (tokenizer.type() == TokenizerType::none) {
    return input_error(Reason::missing, "ALT needs a tokenizer, and the model has none");
  }
  const SentencePieceDescription* pieces = tokenizer.sentencepiece();
  if (!pieces) {
    return unsupported_error("ALT only supports SentencePiece tokenizers");
  }
  const size_t count = tokenizer.tokens.size();
  if (count == 0 || count > INT32_MAX || pieces->scores.size() != count || tokenizer.piece_types.size() != count) {
    return input_error(Reason::mismatch, "ALT needs at least one token, and a score and a type for each");
  }
  return {};
}

Result<int32_t> seq_len_of(const Json& config) {
  return config_number(config, config.find(kSeqLen) ? kSeqLen : "max_position_embeddings");
}

int32_t number_of(std::optional<uint32_t> id) { return id ? static_cast<int32_t>(*id) : kNoId; }

Status put_token(const TokenizerDescription& tokenizer, uint32_t id, ByteWriter& out) {
  const auto type = token_type(tokenizer.piece_types[id], id, tokenizer.special);
  if (!type) {
    return unsupported_error("token {} is user-defined, and ALT has no such type", id);
  }
  const std::string_view text = tokenizer.tokens[id];
  out.put(static_cast<int32_t>(text.size()));
  out.put_text(text);
  out.put(tokenizer.sentencepiece()->scores[id]);
  out.put(*type);
  return {};
}

}  // namespace

Parse<void> read_tokenizer(ByteStream& in, ModelDescription& description) {
  return read_section(in, kTokenizerMarker, kTokenizerName, kMinTokenizerBytes, read_tokenizer_fields, description);
}

Status write_tokenizer(const ModelDescription& description, ByteWriter& out) {
  const TokenizerDescription& tokenizer = description.tokenizer;
  QUINTET_CHECK(check_writable(tokenizer));
  QUINTET_TRY(const int32_t seq_len, seq_len_of(description.config));
  const SpecialIds& ids = tokenizer.special;
  const int32_t numbers[] = {static_cast<int32_t>(tokenizer.tokens.size()),
                             number_of(ids.bos),
                             number_of(ids.eos),
                             number_of(ids.pad),
                             number_of(ids.unk),
                             seq_len};
  ByteWriter fields;
  fields.put_bytes(std::as_bytes(std::span(numbers)));
  for (uint32_t id = 0; id < tokenizer.tokens.size(); ++id) QUINTET_CHECK(put_token(tokenizer, id, fields));
  return write_section(out, kTokenizerMarker, kTokenizerName, fields.bytes(), read_tokenizer_fields);
}

}  // namespace quintet::alt
