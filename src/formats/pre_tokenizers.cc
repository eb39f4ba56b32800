#include "formats/pre_tokenizers.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace quintet {
namespace {

constexpr std::string_view kGpt2 = kGpt2PreTokenizer;
constexpr std::string_view kLlama3 = kLlama3PreTokenizer;
constexpr std::string_view kQwen2 = "qwen2";
constexpr std::string_view kStarcoder = kStarcoderPreTokenizer;
constexpr std::string_view kQwen35 = "qwen35";
constexpr std::string_view kGpt4o = "gpt4o";
constexpr std::string_view kTekken = "tekken";
constexpr std::string_view kNames[] = {kGpt2, kLlama3, kQwen2, kQwen35, kGpt4o, kTekken, kStarcoder};

// The last one of llama3 is from tiktoken's cl100k_base. It is equivalent: its possessive quantifiers never have to
// give anything back, and \s* matches the line ends that [\r\n] is not repeated for.
struct Regex {
  std::string_view name, regex;
};
constexpr Regex kRegexes[] = {
    {kGpt2, R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {kGpt2, R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {kLlama3, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
              R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {kLlama3, R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*)"
              R"(|\s*[\r\n]|\s+(?!\S)|\s+)"},
    {kQwen2, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
             R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {kQwen35, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)"
              R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {kGpt4o,
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {kTekken, R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
              R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
              R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
};

// llama.cpp, src/llama-vocab.cpp. It omits NFC, which the tokenizer.json of these models has.
enum Flags : uint8_t { kPlain = 0, kIgnoreMerges = 1, kAddBos = 2, kNfc = 4 };
struct Alias {
  std::string_view pre, name;
  uint8_t flags;
};
constexpr Alias kAliases[] = {
    {"gpt-2", kGpt2, kPlain},
    {"phi-2", kGpt2, kPlain},
    {"modern-bert", kGpt2, kNfc},
    {"jina-v2-es", kGpt2, kPlain},
    {"jina-v2-de", kGpt2, kPlain},
    {"exaone4", kGpt2, kPlain},
    {"olmo", kGpt2, kNfc},
    {"mpt", kGpt2, kNfc},
    {"trillion", kGpt2, kPlain},
    {"granite-docling", kGpt2, kPlain},
    {"roberta-bpe", kGpt2, kPlain},
    {"jina-v1-en", kGpt2, kPlain},
    {"jina-v2-code", kGpt2, kPlain},
    {"llama-bpe", kLlama3, kIgnoreMerges | kAddBos},
    {"llama3", kLlama3, kIgnoreMerges | kAddBos},
    {"llama-v3", kLlama3, kIgnoreMerges | kAddBos},
    {"falcon3", kLlama3, kIgnoreMerges | kAddBos},
    {"falcon-h1", kLlama3, kIgnoreMerges | kAddBos},
    {"pixtral", kLlama3, kIgnoreMerges | kAddBos},
    {"midm-2.0", kLlama3, kIgnoreMerges | kAddBos},
    {"lfm2", kLlama3, kIgnoreMerges | kAddBos},
    {"jina-v5-nano", kLlama3, kIgnoreMerges | kAddBos},
    {"dbrx", kLlama3, kPlain},
    {"smaug-bpe", kLlama3, kPlain},
    {"glm4", kLlama3, kPlain},
    {"qwen2", kQwen2, kNfc},
    {"deepseek-r1-qwen", kQwen2, kNfc},
    {"stablelm2", kQwen2, kNfc},
    {"megrez", kQwen2, kNfc},
    {"hunyuan", kQwen2, kNfc},
    {"qwen35", kQwen35, kNfc},
    {"gpt-4o", kGpt4o, kPlain},
    {"llama4", kGpt4o, kPlain},
    {"kanana2", kGpt4o, kPlain},
    {"tekken", kTekken, kIgnoreMerges | kAddBos},
    {"starcoder", kStarcoder, kPlain},
    {"refact", kStarcoder, kPlain},
    {"command-r", kStarcoder, kPlain},
    {"smollm", kStarcoder, kPlain},
    {"codeshell", kStarcoder, kPlain},
    {"exaone", kStarcoder, kPlain},
    {"minerva-7b", kStarcoder, kPlain},
};

}  // namespace

std::string_view pre_tokenizer_of_regex(std::string_view regex) {
  const auto* found = std::ranges::find(kRegexes, regex, &Regex::regex);
  return found == std::end(kRegexes) ? std::string_view() : found->name;
}

void set_gguf_pre_tokenizer(std::string_view pre, TokenizerDescription& tokenizer) {
  const auto* alias = std::ranges::find(kAliases, pre, &Alias::pre);
  if (alias == std::end(kAliases)) {
    tokenizer.pre_tokenizer = pre;
    return;
  }
  tokenizer.pre_tokenizer = alias->name;
  tokenizer.ignore_merges = alias->flags & kIgnoreMerges;
  tokenizer.nfc = alias->flags & kNfc;
  tokenizer.add_bos = (alias->flags & kAddBos) != 0;
}

Status check_pre_tokenizer(const TokenizerDescription& tokenizer) {
  if (tokenizer.type != TokenizerType::bpe || tokenizer.pre_tokenizer.empty()) return {};
  if (std::ranges::find(kNames, tokenizer.pre_tokenizer) != std::end(kNames)) return {};
  std::string names;
  for (const std::string_view name : kNames) names.append(names.empty() ? "" : ", ").append(name);
  return unsupported_error("pre-tokenizer \"" + tokenizer.pre_tokenizer + "\"; supported are those of " + names);
}

}  // namespace quintet
