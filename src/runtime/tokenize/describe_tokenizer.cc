#include "runtime/tokenize/describe_tokenizer.h"

#include <optional>
#include <string_view>
#include <utility>

namespace quintet {
namespace {

std::string_view name_of(TokenizerType type) {
  switch (type) {
    case TokenizerType::none:
      return "none";
    case TokenizerType::wordpiece:
      return "WordPiece";
    case TokenizerType::bpe:
      return "BPE";
    case TokenizerType::sentencepiece:
      return "SentencePiece";
    case TokenizerType::custom:
      break;
  }
  return "Custom";
}

}  // namespace

Json describe_tokenizer(const TokenizerDescription& tokenizer, uint64_t size) {
  Json json = Json::object();
  json.append("type", name_of(tokenizer.type()));
  if (tokenizer.type() == TokenizerType::none) return json;
  Json special = Json::object();
  const auto add = [&special](const char* name, const std::optional<uint32_t>& id) {
    if (id) special.append(name, *id);
  };
  add("bos", tokenizer.special.bos);
  add("eos", tokenizer.special.eos);
  add("pad", tokenizer.special.pad);
  add("unk", tokenizer.special.unk);
  add("cls", tokenizer.special.cls);
  add("sep", tokenizer.special.sep);
  add("mask", tokenizer.special.mask);
  json.append("size", size);
  json.append("special", std::move(special));
  if (tokenizer.stored_bytes != 0) json.append("bytes", tokenizer.stored_bytes);
  return json;
}

}  // namespace quintet
