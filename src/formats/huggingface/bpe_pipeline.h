#pragma once
// Which of our tokenizers computes what a tokenizer.json with a BPE model describes.

#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet::huggingface {

enum class BpeKind : uint8_t { byte_level, sentencepiece };

struct BpePipeline {
  BpeKind kind = BpeKind::byte_level;
  std::string_view pre_tokenizer;  // byte_level: a name of formats/pre_tokenizers.h
  bool ignore_merges = false;
  bool nfc = false;
  std::string_view bos = {};         // the token that the post-processor puts in front, of the JSON
  std::optional<bool> add_bos = {};  // absent where there is no post-processor that could
};

Result<BpePipeline> recognize_bpe(const Json& tokenizer);

}  // namespace quintet::huggingface
