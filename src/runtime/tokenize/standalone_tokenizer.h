#pragma once
// A tokenizer without its model: converts texts to ids as the model expects them, with special tokens around them, and
// back.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/model_description.h"
#include "runtime/tokenize/text_codec.h"
#include "runtime/tokenize/text_frame.h"

namespace quintet {

class StandaloneTokenizer {
 public:
  // UNSUPPORTED if the description is of a model without a tokenizer.
  static Result<StandaloneTokenizer> create(ModelDescription description,
                                            CreateTokenizer& create_tokenizer = quintet::create_tokenizer);

  const TextCodec& codec() const { return codec_; }
  std::string chat() const { return codec_.chat(description_); }
  // describe_tokenizer() as JSON
  std::string info() const;

  Result<std::vector<uint32_t>> encode(std::string_view text, bool add_special, bool parse_special) const;
  // With special tokens, in at most `max_length` tokens: the end of a text that is too long is cut off. INPUT if not
  // even the special tokens fit.
  Result<std::vector<uint32_t>> encode_cut(std::string_view text, size_t max_length) const;
  // Returns at most `max_length` tokens, unless that is 0 (frame_pair()).
  Result<TextPair> encode_pair(std::string_view first, std::string_view second, size_t max_length) const;

 private:
  ModelDescription description_;  // without the vocabulary
  uint64_t size_ = 0;             // of the vocabulary, as its file has it
  TextCodec codec_;
  TextFrame frame_;
};

}  // namespace quintet
