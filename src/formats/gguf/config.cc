#include "formats/gguf/config.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace quintet::gguf {
namespace {

// As AMB spells them.
constexpr std::string_view kGpt2 = "gpt2";
constexpr std::string_view kLlama3 = "llama3";
constexpr std::string_view kStarcoder = "starcoder";

// llama.cpp's names for the same ways to cut text, and AMB's.
struct PreTokenizer {
  std::string_view pre, name;
};
constexpr PreTokenizer kPreTokenizers[] = {
    {"gpt-2", kGpt2},       {"phi-2", kGpt2},       {"llama-bpe", kLlama3},    {"llama3", kLlama3},
    {"llama-v3", kLlama3},  {"dbrx", kLlama3},      {"smaug-bpe", kLlama3},    {"starcoder", kStarcoder},
    {"refact", kStarcoder}, {"smollm", kStarcoder}, {"codeshell", kStarcoder}, {"command-r", kStarcoder},
};

}  // namespace

Result<std::string_view> pre_tokenizer(const ModelDescription& description) {
  const Json* value = description.metadata.find(kPreTokenizerKey);
  const std::string pre = value && value->as_string() ? *value->as_string() : "default";
  if (pre == "default" && description.architecture == "phi2") return kGpt2;
  const auto* known = std::ranges::find(kPreTokenizers, pre, &PreTokenizer::pre);
  if (known != std::end(kPreTokenizers)) return known->name;
  return unsupported_error(std::string(kPreTokenizerKey) + " \"" + pre +
                           "\"; supported are gpt-2, phi-2, llama-bpe and starcoder");
}

}  // namespace quintet::gguf
