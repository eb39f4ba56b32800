#include "formats/text_steps.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "formats/pre_tokenizers.h"

namespace quintet {
namespace {

constexpr std::string_view kType = "type", kRegex = "Regex";

std::string_view text_of(const Json& object, std::string_view key) {
  const std::string* text = object.get(key).as_string();
  return text ? std::string_view(*text) : std::string_view();
}

bool flag_of(const Json& object, std::string_view key, bool absent) {
  return object.get(key).as_bool().value_or(absent);
}

Failure unsupported(std::string_view part, const Json& step) {
  constexpr size_t kMaxShown = 200;  // bytes
  std::string text = write_json(step);
  if (text.size() > kMaxShown) {
    size_t end = kMaxShown;
    while (is_utf8_continuation(text[end])) --end;
    text = text.substr(0, end) + "...";
  }
  return unsupported_error("the tokenizer's {} {} is not supported", part, text);
}

void add_steps(const Json& part, std::string_view key, std::vector<const Json*>& steps) {
  const Json::Array* list = text_of(part, kType) == "Sequence" ? part.get(key).as_array() : nullptr;
  if (!list) {
    if (!part.is_null()) steps.push_back(&part);
    return;
  }
  for (const Json& each : *list) add_steps(each, key, steps);
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = R"(\^$.|?*+()[]{}-&)";
  std::string expression;
  for (const char c : text) {
    if (kSpecial.contains(c)) expression += '\\';
    expression += c;
  }
  return expression;
}

// {"String": "..."} or {"Regex": "..."}; empty if it is neither.
std::string read_pattern(const Json& pattern) {
  const std::string_view regex = text_of(pattern, kRegex);
  return regex.empty() ? escaped(text_of(pattern, "String")) : std::string(regex);
}

struct NamedNormalizer {
  std::string_view name;
  NormalizerKind kind;
};
constexpr NamedNormalizer kNormalizerNames[] = {
    {"NFC", NormalizerKind::nfc},
    {"NFD", NormalizerKind::nfd},
    {"NFKC", NormalizerKind::nfkc},
    {"NFKD", NormalizerKind::nfkd},
    {"Lowercase", NormalizerKind::lowercase},
    {"StripAccents", NormalizerKind::strip_accents},
    {"Nmt", NormalizerKind::nmt},
    {"Strip", NormalizerKind::strip},
    {"Prepend", NormalizerKind::prepend},
    {"Replace", NormalizerKind::replace},
};

struct NamedBehavior {
  std::string_view name;
  SplitBehavior behavior;
};
constexpr NamedBehavior kBehaviors[] = {
    {"Isolated", SplitBehavior::isolated},
    {"Removed", SplitBehavior::removed},
    {"MergedWithPrevious", SplitBehavior::merged_with_previous},
    {"MergedWithNext", SplitBehavior::merged_with_next},
    {"Contiguous", SplitBehavior::contiguous},
};

// False if there is one that is unknown.
bool read_behavior(const Json& step, SplitBehavior& behavior) {
  if (!step.find("behavior")) return true;
  const auto* found = std::ranges::find(kBehaviors, text_of(step, "behavior"), &NamedBehavior::name);
  if (found == std::end(kBehaviors)) return false;
  behavior = found->behavior;
  return true;
}

// The pre-tokenizers of huggingface/tokenizers (pre_tokenizers/bert.rs, digits.rs, punctuation.rs, whitespace.rs). A
// name may stand for several steps.
struct NamedSplit {
  std::string_view type, expression;
  SplitBehavior behavior = SplitBehavior::isolated;
  bool inverts = false;
};
constexpr std::string_view kWhiteSpace = R"(\s)";
constexpr NamedSplit kSplits[] = {
    {"Digits", R"(\p{N}+)"},
    // \w of Rust, which has the joiners, too.
    {"Whitespace", "[\\w\u200C\u200D]+|[^\\w\\s\u200C\u200D]+", SplitBehavior::removed, true},
    {"WhitespaceSplit", kWhiteSpace, SplitBehavior::removed},
    {"Punctuation", kPunctuationExpression},
    {"BertPreTokenizer", kWhiteSpace, SplitBehavior::removed},
    {"BertPreTokenizer", kPunctuationExpression},
};

Status read_split_steps(const Json& json, std::vector<SplitStep>& steps) {
  const std::string_view type = text_of(json, kType);
  const size_t before = steps.size();
  for (const NamedSplit& named : kSplits) {
    if (named.type != type) continue;
    SplitStep& step = steps.emplace_back();
    step.expression = named.expression;
    step.behavior = named.behavior;
    step.inverts = named.inverts;
  }
  if (steps.size() == before) {
    SplitStep& step = steps.emplace_back();
    if (type == "Split") step.expression = read_pattern(json.get("pattern"));
    if (type == "CharDelimiterSplit") {
      step.expression = escaped(text_of(json, "delimiter"));
      step.behavior = SplitBehavior::removed;
    }
    step.inverts = flag_of(json, "invert", false);
  }
  SplitStep& last = steps.back();
  if (type == "Digits" && flag_of(json, "individual_digits", false)) last.expression.pop_back();  // the +
  const bool has_behavior = read_behavior(json, last.behavior);
  return has_behavior && !last.expression.empty() ? Status() : unsupported("pre_tokenizer", json);
}

Json typed(std::string_view type) {
  Json step = Json::object();
  step.set(kType, type);
  return step;
}

Json in_sequence(Json steps, std::string_view key) {
  if (steps.as_array()->size() == 1) return steps.as_array()->front();
  Json sequence = typed("Sequence");
  sequence.set(key, std::move(steps));
  return sequence;
}

Json pattern_json(const std::string& expression) {
  Json pattern = Json::object();
  pattern.set(kRegex, expression);
  return pattern;
}

Json byte_level_json(bool adds_space, bool splits) {
  Json step = typed("ByteLevel");
  step.set("add_prefix_space", adds_space);
  step.set("use_regex", splits);
  return step;
}

Json split_json(const SplitStep& split) {
  Json step = typed("Split");
  step.set("pattern", pattern_json(split.expression));
  step.set("behavior", std::ranges::find(kBehaviors, split.behavior, &NamedBehavior::behavior)->name);
  step.set("invert", split.inverts);
  return step;
}

}  // namespace

std::vector<const Json*> steps_of(const Json& part, std::string_view key) {
  std::vector<const Json*> steps;
  add_steps(part, key, steps);
  return steps;
}

Result<NormalizerStep> read_normalizer_step(const Json& json) {
  const auto* found = std::ranges::find(kNormalizerNames, text_of(json, kType), &NamedNormalizer::name);
  if (found == std::end(kNormalizerNames)) return unsupported("normalizer", json);
  NormalizerStep step{.kind = found->kind};
  if (step.kind == NormalizerKind::strip) {
    step.left = flag_of(json, "strip_left", true);
    step.right = flag_of(json, "strip_right", true);
  } else if (step.kind == NormalizerKind::prepend) {
    step.content = text_of(json, "prepend");
  } else if (step.kind == NormalizerKind::replace) {
    step.pattern = read_pattern(json.get("pattern"));
    if (step.pattern.empty()) return unsupported("normalizer", json);
    step.content = text_of(json, "content");
  }
  return step;
}

Result<std::vector<NormalizerStep>> read_normalizer(const Json& normalizer) {
  std::vector<NormalizerStep> steps;
  for (const Json* each : steps_of(normalizer, kNormalizers)) {
    QUINTET_TRY(NormalizerStep step, read_normalizer_step(*each));
    steps.push_back(std::move(step));
  }
  return steps;
}

Result<std::vector<SplitStep>> read_pre_tokenizer(const Json& pre_tokenizer) {
  const std::vector<const Json*> list = steps_of(pre_tokenizer, kPreTokenizers);
  std::vector<SplitStep> steps;
  bool has_bytes = false;
  for (const Json* each : list) {
    if (text_of(*each, kType) != "ByteLevel") {
      QUINTET_CHECK(read_split_steps(*each, steps));
      continue;
    }
    SplitStep& step = steps.emplace_back();
    if (std::exchange(has_bytes, true)) return unsupported("pre_tokenizer", pre_tokenizer);
    if (flag_of(*each, "use_regex", true)) step.expression = kGpt2Expression;
    step.adds_space = flag_of(*each, "add_prefix_space", true);
    step.spells_bytes = each != list.back();
    if (step == SplitStep()) steps.pop_back();
  }
  if (!has_bytes) return unsupported("pre_tokenizer", pre_tokenizer);
  return steps;
}

Json write_normalizer(const std::vector<NormalizerStep>& steps) {
  Json list = Json::array();
  for (const NormalizerStep& each : steps) {
    Json step = typed(std::ranges::find(kNormalizerNames, each.kind, &NamedNormalizer::kind)->name);
    if (each.kind == NormalizerKind::strip) {
      step.set("strip_left", each.left);
      step.set("strip_right", each.right);
    } else if (each.kind == NormalizerKind::prepend) {
      step.set("prepend", each.content);
    } else if (each.kind == NormalizerKind::replace) {
      step.set("pattern", pattern_json(each.pattern));
      step.set("content", each.content);
    }
    list.push_back(std::move(step));
  }
  return in_sequence(std::move(list), kNormalizers);
}

Json write_pre_tokenizer(const std::vector<SplitStep>& steps) {
  Json list = Json::array();
  bool has_bytes = false;
  for (const SplitStep& step : steps) {
    const bool is_byte_level = step.adds_space || step.spells_bytes;
    has_bytes |= is_byte_level;
    list.push_back(is_byte_level ? byte_level_json(step.adds_space, !step.expression.empty()) : split_json(step));
  }
  if (!has_bytes) list.push_back(byte_level_json(false, false));
  return in_sequence(std::move(list), kPreTokenizers);
}

}  // namespace quintet
