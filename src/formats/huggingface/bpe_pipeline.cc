#include "formats/huggingface/bpe_pipeline.h"

#include <array>
#include <string>

#include "base/utf8.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kSpaceMark = "\u2581";
constexpr size_t kMostShown = 200;  // bytes of a part in an error's text

struct Pattern {
  std::string_view name, regex;
};
constexpr std::array<Pattern, 3> kPatterns = {{
    {"gpt2", R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {"gpt2", R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {"llama3", R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
               R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"},
}};

std::unexpected<Error> unsupported(std::string_view part, const Json& value) {
  std::string text = write_json(value);
  if (text.size() > kMostShown) {
    size_t end = kMostShown;
    while (is_utf8_continuation(text[end])) --end;
    text = text.substr(0, end) + "...";
  }
  return unsupported_error(
      "the tokenizer's " + std::string(part) + " is " + text +
      "; supported are BPE over bytes as in GPT-2, Llama 3 and StarCoder, and SentencePiece's BPE");
}

const Json& part(const Json& object, std::string_view key) {
  static const Json absent;
  const Json* value = object.find(key);
  return value ? *value : absent;
}

bool is_text(const Json& object, std::string_view key, std::string_view expected) {
  const std::string* text = part(object, key).as_string();
  return text && *text == expected;
}

bool is_flag(const Json& object, std::string_view key, bool expected, bool absent) {
  return part(object, key).as_bool().value_or(absent) == expected;
}

bool is_empty(const Json& value) {
  const std::string* text = value.as_string();
  return value.is_null() || (text && text->empty());
}

// The two elements of a sequence; null where it is none of two.
const Json::Array* two_of(const Json& sequence, std::string_view key) {
  const Json::Array* elements = is_text(sequence, "type", "Sequence") ? part(sequence, key).as_array() : nullptr;
  return elements && elements->size() == 2 ? elements : nullptr;
}

bool is_byte_level(const Json& step, bool with_pattern) {
  return is_text(step, "type", "ByteLevel") && is_flag(step, "add_prefix_space", false, true) &&
         is_flag(step, "use_regex", with_pattern, true);
}

bool parts_digits(const Json& step) {
  return is_text(step, "type", "Digits") && is_flag(step, "individual_digits", true, false);
}

// The name of the pattern by which words are parted before bytes are merged; empty where it is none of ours.
std::string_view byte_level_pattern(const Json& pre_tokenizer) {
  if (is_byte_level(pre_tokenizer, true)) return "gpt2";
  const Json::Array* steps = two_of(pre_tokenizer, "pretokenizers");
  if (!steps) return {};
  if (parts_digits((*steps)[0]) && is_byte_level((*steps)[1], true)) return "starcoder";
  if (!is_byte_level((*steps)[1], false)) return {};
  const Json& split = (*steps)[0];
  if (!is_text(split, "type", "Split") || !is_text(split, "behavior", "Isolated") ||
      !is_flag(split, "invert", false, false)) {
    return {};
  }
  for (const Pattern& pattern : kPatterns) {
    if (is_text(part(split, "pattern"), "Regex", pattern.regex)) return pattern.name;
  }
  return {};
}

// A mark before the text and for every space: as steps of the normalizer, or as those of the pre-tokenizer.
bool marks_spaces(const Json& normalizer, const Json& pre_tokenizer) {
  if (const Json::Array* steps = two_of(normalizer, "normalizers")) {
    const Json& prepend = (*steps)[0];
    const Json& replace = (*steps)[1];
    return pre_tokenizer.is_null() && is_text(prepend, "type", "Prepend") && is_text(prepend, "prepend", kSpaceMark) &&
           is_text(replace, "type", "Replace") && is_text(part(replace, "pattern"), "String", " ") &&
           is_text(replace, "content", kSpaceMark);
  }
  return normalizer.is_null() && is_text(pre_tokenizer, "type", "Metaspace") &&
         is_text(pre_tokenizer, "replacement", kSpaceMark) && is_flag(pre_tokenizer, "add_prefix_space", true, true) &&
         !is_text(pre_tokenizer, "prepend_scheme", "never") && is_flag(pre_tokenizer, "split", false, true);
}

}  // namespace

Result<BpePipeline> recognize_bpe(const Json& tokenizer) {
  const Json& model = part(tokenizer, "model");
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!is_empty(part(model, key))) return unsupported(key, part(model, key));
  }
  const Json& normalizer = part(tokenizer, "normalizer");
  const Json& pre_tokenizer = part(tokenizer, "pre_tokenizer");
  // Words that are tokens as they stand: Llama 3 says so, and its merges lead to the same.
  const bool ignores_merges = is_flag(model, "ignore_merges", true, false);
  if (is_flag(model, "byte_fallback", true, false)) {
    if (ignores_merges) return unsupported("ignore_merges", true);
    if (marks_spaces(normalizer, pre_tokenizer)) {
      return BpePipeline{.kind = BpeKind::sentencepiece, .pre_tokenizer = {}};
    }
    return unsupported(normalizer.is_null() ? "pre_tokenizer" : "normalizer",
                       normalizer.is_null() ? pre_tokenizer : normalizer);
  }
  if (!normalizer.is_null()) return unsupported("normalizer", normalizer);
  const std::string_view pattern = byte_level_pattern(pre_tokenizer);
  if (pattern.empty()) return unsupported("pre_tokenizer", pre_tokenizer);
  if (ignores_merges && pattern != "llama3") return unsupported("ignore_merges", true);
  return BpePipeline{.kind = BpeKind::byte_level, .pre_tokenizer = pattern};
}

}  // namespace quintet::huggingface
