#include "runtime/tokenize/standalone_tokenizer.h"

#include <algorithm>
#include <utility>

#include "formats/model_classes.h"
#include "runtime/tokenize/describe_tokenizer.h"

namespace quintet {

Result<StandaloneTokenizer> StandaloneTokenizer::create(ModelDescription description,
                                                        CreateTokenizer& create_tokenizer) {
  if (description.tokenizer.type() == TokenizerType::none) return without_tokenizer(description.format);
  StandaloneTokenizer standalone;
  standalone.size_ = description.tokenizer.size();
  QUINTET_TRY(standalone.codec_, TextCodec::create(description, create_tokenizer));
  if (!standalone.codec_.has_tokenizer())
    return unsupported_error("a tokenizer of type custom is not supported, only SentencePiece, BPE and WordPiece");
  const bool decodes = description.format == Format::amb || description.format == Format::alt;
  standalone.frame_ = frame_of(description.tokenizer, standalone.codec_.adds_bos(), decodes);
  QUINTET_CHECK(check_frame(standalone.frame_, standalone.codec_.vocabulary_size()));
  standalone.description_ = std::move(description);
  return standalone;
}

std::string StandaloneTokenizer::info() const { return write_json(describe_tokenizer(description_.tokenizer, size_)); }

Result<std::vector<uint32_t>> StandaloneTokenizer::encode(std::string_view text, bool add_special,
                                                          bool parse_special) const {
  QUINTET_TRY(std::vector<uint32_t> ids, codec_.encode(text, {.add_bos = false, .parse_special = parse_special}));
  if (!add_special) return ids;
  return frame_text(frame_, ids);
}

Result<std::vector<uint32_t>> StandaloneTokenizer::encode_cut(std::string_view text, size_t max_length) const {
  QUINTET_TRY(std::vector<uint32_t> ids, encode(text, false, false));
  const size_t around = frame_.single.size() - 1;
  if (around > max_length) {
    return input_error(Reason::out_of_range, "a text gets {} special tokens, but may have only {} tokens", around,
                       max_length);
  }
  ids.resize(std::min(ids.size(), max_length - around));
  return frame_text(frame_, ids);
}

Result<TextPair> StandaloneTokenizer::encode_pair(std::string_view first, std::string_view second,
                                                  size_t max_length) const {
  QUINTET_TRY(const std::vector<uint32_t> first_ids, encode(first, false, false));
  QUINTET_TRY(const std::vector<uint32_t> second_ids, encode(second, false, false));
  return frame_pair(frame_, first_ids, second_ids, max_length);
}

}  // namespace quintet
