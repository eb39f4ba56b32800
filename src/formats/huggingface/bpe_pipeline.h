#pragma once
// Which of our tokenizers computes what a tokenizer.json with a BPE model describes.

#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace quintet::huggingface {

enum class BpeKind : uint8_t { byte_level, sentencepiece };

struct BpePipeline {
  BpeKind kind = BpeKind::byte_level;
  std::string_view pre_tokenizer;  // byte_level: "gpt2", "llama3" or "starcoder"
};

Result<BpePipeline> recognize_bpe(const Json& tokenizer);

}  // namespace quintet::huggingface
