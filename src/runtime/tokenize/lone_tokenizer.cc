#include "runtime/tokenize/lone_tokenizer.h"

#include "formats/model_classes.h"
#include "runtime/tokenize/describe_tokenizer.h"

namespace quintet {

Result<LoneTokenizer> LoneTokenizer::create(ModelDescription description) {
  if (description.tokenizer.type() == TokenizerType::none) return without_tokenizer(description.format);
  LoneTokenizer made;
  made.info_ = write_json(describe_tokenizer(description.tokenizer, description.tokenizer.size()));
  QUINTET_TRY(made.codec_, TextCodec::create(description));
  if (!made.codec_.has_tokenizer())
    return unsupported_error("a tokenizer of type custom is not supported, only SentencePiece, BPE and WordPiece");
  const bool decodes = description.format == Format::amb || description.format == Format::alt;
  made.frame_ = frame_of(description.tokenizer, made.codec_.adds_bos(), decodes);
  QUINTET_CHECK(check_frame(made.frame_, made.codec_.vocabulary_size()));
  return made;
}

Result<std::vector<uint32_t>> LoneTokenizer::encode(std::string_view text, bool add_special, bool parse_special) const {
  QUINTET_TRY(std::vector<uint32_t> ids, codec_.encode(text, {.add_bos = false, .parse_special = parse_special}));
  if (!add_special) return ids;
  return frame_text(frame_, ids);
}

Result<TextPair> LoneTokenizer::encode_pair(std::string_view first, std::string_view second, size_t max_length) const {
  QUINTET_TRY(const std::vector<uint32_t> first_ids, encode(first, false, false));
  QUINTET_TRY(const std::vector<uint32_t> second_ids, encode(second, false, false));
  return frame_pair(frame_, first_ids, second_ids, max_length);
}

}  // namespace quintet
