#include "formats/pre_tokenizers.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace quintet {
namespace {

struct Split {
  std::string_view expression;
  SplitBehavior behavior = SplitBehavior::isolated;
  bool spells_bytes = false;
};

// The expressions are those of tokenizer.json.
constexpr Split kGpt2[] = {{kGpt2Expression}};
constexpr Split kStarcoder[] = {{R"(\p{N})"}, {kGpt2Expression}};
// meta-llama/llama3, tokenizer.py
constexpr Split kLlama3[] = {
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// Qwen/Qwen2
constexpr Split kQwen2[] = {{R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
                             R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// ByteDance-Seed/Seed-Coder-8B-Base
constexpr Split kSeedCoder[] = {
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// Qwen/Qwen3.5
constexpr Split kQwen35[] = {
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// openai/tiktoken, o200k_base; also of Phi-4-mini
constexpr Split kGpt4o[] = {
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// mistralai/Mistral-Nemo
constexpr Split kTekken[] = {{R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
                              R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
                              R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}};
// deepseek-ai/deepseek-llm-7b-base: the letters of category L that have two cases, as of Unicode 12. Characters that
// editors may replace by equivalent ones (NFC) are escaped.
constexpr Split kDeepseekLlm[] = {
    {"[\r\n]"},
    {R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-)"
     "\u1F7D"
     R"(ᾀ-ᾴᾶ-ᾼ)"
     "\u1FBE"
     R"(ῂ-ῄῆ-ῌῐ-)"
     "\u1FD3"
     R"(ῖ-)"
     "\u1FDB"
     R"(ῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ)"
     "\u2126\u2128\u212A-\u212D"
     R"(ℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)"},
    {"\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+"},
    {R"(\s+$)"},
    {"[一-龥\u0800-一\uAC00-\uD7FF]+"},
    {R"(\p{N})"}};
// deepseek-ai/deepseek-coder-6.7b-instruct
constexpr Split kDeepseekCoder[] = {
    {"[\r\n]"}, {R"(\s?\p{L}+)"}, {R"(\s?\p{P}+)"}, {"[一-龥\u0800-一\uAC00-\uD7FF]+"}, {R"(\p{N})"}};
// deepseek-ai/DeepSeek-V3
constexpr Split kDeepseekV3[] = {
    {R"(\p{N}{1,3})"},
    {"[一-龥\u3040-ゟ゠-ヿ]+"},
    {"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
     "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"}};
// tiiuae/falcon-7b: Punctuation, ByteLevel, Digits and a Split
constexpr Split kFalcon[] = {{kPunctuationExpression, SplitBehavior::contiguous},
                             {kGpt2Expression, SplitBehavior::isolated, true},
                             {R"(\p{N}+)"},
                             {"[0-9][0-9][0-9]"}};
struct NamedSteps {
  std::string_view name;
  std::span<const Split> splits;
};
constexpr NamedSteps kNamed[] = {
    {kGpt2PreTokenizer, kGpt2},
    {kLlama3PreTokenizer, kLlama3},
    {"qwen2", kQwen2},
    {"qwen35", kQwen35},
    {"gpt4o", kGpt4o},
    {"tekken", kTekken},
    {"starcoder", kStarcoder},
    {"deepseek-llm", kDeepseekLlm},
    {"deepseek-coder", kDeepseekCoder},
    {"deepseek-v3", kDeepseekV3},
    {"falcon", kFalcon},
    {"seed-coder", kSeedCoder},
};

// llama.cpp, src/llama-vocab.cpp. It omits NFC, which the tokenizer.json of these models has.
enum Flags : uint8_t { kPlain = 0, kIgnoreMerges = 1, kAddBos = 2, kNfc = 4 };
struct Alias {
  std::string_view pre, name;
  uint8_t flags;
};
constexpr Alias kAliases[] = {
    {"gpt-2", "gpt2", kPlain},
    {"phi-2", "gpt2", kPlain},
    {"modern-bert", "gpt2", kNfc},
    {"jina-es", "gpt2", kPlain},
    {"jina-de", "gpt2", kPlain},
    {"jina-v2-es", "gpt2", kPlain},
    {"jina-v2-de", "gpt2", kPlain},
    {"exaone4", "gpt2", kPlain},
    {"olmo", "gpt2", kNfc},
    {"mpt", "gpt2", kNfc},
    {"jais", "gpt2", kPlain},
    {"mellum", "gpt2", kPlain},
    {"a.x-4.0", "gpt2", kPlain},
    {"gigachat", "gpt2", kPlain},
    {"trillion", "gpt2", kPlain},
    {"granite-docling", "gpt2", kPlain},
    {"roberta-bpe", "gpt2", kPlain},
    {"jina-v1-en", "gpt2", kPlain},
    {"jina-v2-code", "gpt2", kPlain},
    {"llama-bpe", "llama3", kIgnoreMerges | kAddBos},
    {"llama3", "llama3", kIgnoreMerges | kAddBos},
    {"llama-v3", "llama3", kIgnoreMerges | kAddBos},
    {"falcon3", "llama3", kIgnoreMerges | kAddBos},
    {"falcon-h1", "llama3", kIgnoreMerges | kAddBos},
    {"pixtral", "llama3", kIgnoreMerges | kAddBos},
    {"midm-2.0", "llama3", kIgnoreMerges | kAddBos},
    {"lfm2", "llama3", kIgnoreMerges | kAddBos},
    {"jina-v5-nano", "llama3", kIgnoreMerges | kAddBos},
    {"dbrx", "llama3", kPlain},
    {"smaug-bpe", "llama3", kPlain},
    {"glm4", "llama3", kPlain},
    {"chatglm-bpe", "llama3", kPlain},
    {"qwen2", "qwen2", kNfc},
    {"deepseek-r1-qwen", "qwen2", kNfc},
    {"kormo", "qwen2", kNfc},
    {"f2llmv2", "qwen2", kNfc},
    {"stablelm2", "qwen2", kNfc},
    {"megrez", "qwen2", kNfc},
    {"hunyuan", "qwen2", kNfc},
    {"grok-2", "qwen2", kPlain},
    {"solar-open", "qwen2", kPlain},
    {"seed-coder", "seed-coder", kPlain},
    {"qwen35", "qwen35", kNfc},
    {"gpt-4o", "gpt4o", kPlain},
    {"llama4", "gpt4o", kPlain},
    {"kanana2", "gpt4o", kPlain},
    {"talkie", "gpt4o", kPlain},
    {"minimax-m2", "gpt4o", kPlain},
    {"granite-embed-multi-97m", "gpt4o", kIgnoreMerges},
    {"tekken", "tekken", kIgnoreMerges | kAddBos},
    {"starcoder", "starcoder", kPlain},
    {"refact", "starcoder", kPlain},
    {"command-r", "starcoder", kPlain},
    {"smollm", "starcoder", kPlain},
    {"codeshell", "starcoder", kPlain},
    {"exaone", "starcoder", kPlain},
    {"minerva-7b", "starcoder", kPlain},
    {"mellum2", "starcoder", kPlain},
    {"deepseek-llm", "deepseek-llm", kPlain},
    {"deepseek-coder", "deepseek-coder", kPlain},
    {"deepseek-v3", "deepseek-v3", kPlain},
    {"hunyuan-dense", "deepseek-v3", kPlain},
    {"joyai-llm", "deepseek-v3", kPlain},
    {"falcon", "falcon", kPlain},
};

std::vector<SplitStep> steps_of(const NamedSteps& named) {
  std::vector<SplitStep> steps;
  for (const Split& split : named.splits) {
    SplitStep& step = steps.emplace_back();
    step.expression = split.expression;
    step.behavior = split.behavior;
    step.spells_bytes = split.spells_bytes;
  }
  return steps;
}

}  // namespace

void set_pre_tokenizer(std::vector<SplitStep> steps, BpeDescription& bpe) {
  std::vector<SplitStep> sought = steps;
  // An expression alone that has a name matches every character, so that to keep the matches is to isolate them.
  if (sought.size() == 1 && sought[0].inverts && sought[0].behavior == SplitBehavior::removed) {
    sought[0].inverts = false;
    sought[0].behavior = SplitBehavior::isolated;
  }
  for (const NamedSteps& named : kNamed) {
    if (sought != steps_of(named)) continue;
    bpe.pre_tokenizer = named.name;
    return;
  }
  bpe.splits = std::move(steps);
}

void set_gguf_pre_tokenizer(std::string_view pre, TokenizerDescription& tokenizer) {
  BpeDescription& bpe = *tokenizer.bpe();
  const auto* alias = std::ranges::find(kAliases, pre, &Alias::pre);
  if (alias == std::end(kAliases)) {
    bpe.pre_tokenizer = pre;
    return;
  }
  bpe.pre_tokenizer = alias->name;
  bpe.ignore_merges = alias->flags & kIgnoreMerges;
  if (alias->flags & kNfc) tokenizer.normalizer = {{.kind = NormalizerKind::nfc}};
  tokenizer.add_bos = (alias->flags & kAddBos) != 0;
}

Result<std::vector<SplitStep>> pre_tokenizer_steps(const BpeDescription& bpe) {
  if (bpe.splits) return *bpe.splits;
  const std::string_view name = bpe.pre_tokenizer.empty() ? kGpt2PreTokenizer : bpe.pre_tokenizer;
  const auto* named = std::ranges::find(kNamed, name, &NamedSteps::name);
  if (named != std::end(kNamed)) return steps_of(*named);
  std::string names;
  for (const NamedSteps& each : kNamed) names.append(names.empty() ? "" : ", ").append(each.name);
  return unsupported_error("pre-tokenizer \"{}\"; supported are those of {}", name, names);
}

Status check_pre_tokenizer(const TokenizerDescription& tokenizer) {
  if (!tokenizer.bpe()) return {};
  QUINTET_TRY([[maybe_unused]] const auto steps, pre_tokenizer_steps(*tokenizer.bpe()));
  return {};
}

}  // namespace quintet
