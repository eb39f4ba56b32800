#include "formats/amb/tokenizer_writer.h"

#include <limits>
#include <string>

#include "base/byte_writer.h"
#include "formats/amb/layout.h"
#include "formats/sentencepiece/model_proto.h"

namespace quintet::amb {
namespace {

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
  out.set(0, static_cast<uint8_t>(code_of(tokenizer.type)));
  const SpecialIds& special = tokenizer.special;
  // docs/formats/amb.md: of WordPiece, BOS is [CLS] and EOS is [SEP].
  const bool wordpiece = tokenizer.type == TokenizerType::wordpiece;
  const auto bos = wordpiece && special.cls ? special.cls : special.bos;
  const auto eos = wordpiece && special.sep ? special.sep : special.eos;
  size_t at = 1;
  for (const auto& id : {bos, eos, special.pad, special.unk, special.mask}) {
    if (id && *id >= kNoId) {
      return input_error(Reason::limit, "special token id " + std::to_string(*id) + ", at most 65534 fit");
    }
    out.set(at, id ? static_cast<uint16_t>(*id) : kNoId);
    at += sizeof(uint16_t);
  }
  return {};
}

Status put_text(std::string_view text, ByteWriter& out) {
  if (text.size() > std::numeric_limits<uint16_t>::max()) {
    return input_error(Reason::limit, "a token of " + std::to_string(text.size()) + " bytes, at most 65535 fit");
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
  QUINTET_CHECK(put_texts(tokenizer.merges, out));
  out.put(static_cast<uint32_t>(tokenizer.tokens.size()));
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    out.put(tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i]);
    QUINTET_CHECK(put_text(tokenizer.tokens[i], out));
  }
  return {};
}

Status put_sentencepiece(const TokenizerDescription& tokenizer, ByteWriter& out) {
  if (!tokenizer.bytes.empty()) {
    out.put_bytes(tokenizer.bytes);
    return {};
  }
  QUINTET_TRY(const std::vector<std::byte> proto, sentencepiece::write_model_proto(tokenizer));
  out.put_bytes(proto);
  return {};
}

Status put_vocabulary(const TokenizerDescription& tokenizer, ByteWriter& out) {
  switch (tokenizer.type) {
    case TokenizerType::bpe:
      return put_bpe(tokenizer, out);
    case TokenizerType::sentencepiece:
      return put_sentencepiece(tokenizer, out);
    case TokenizerType::wordpiece:
      return put_texts(tokenizer.tokens, out);
    default:
      out.put_bytes(tokenizer.bytes);
      return {};
  }
}

}  // namespace

Result<std::vector<std::byte>> write_tokenizer(const TokenizerDescription& tokenizer) {
  ByteWriter out;
  if (tokenizer.type == TokenizerType::none) return out.take();
  QUINTET_CHECK(put_head(tokenizer, out));
  QUINTET_CHECK(put_vocabulary(tokenizer, out));
  return out.take();
}

}  // namespace quintet::amb
