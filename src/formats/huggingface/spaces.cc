#include "formats/huggingface/spaces.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "formats/huggingface/tokenizer_json.h"
#include "formats/text_steps.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kSupported = "those of SentencePiece's models, after steps that are supported everywhere";

// Runs of spaces become one.
bool joins_spaces(const Json& step) {
  return is_text(step, "type", "Replace") && is_text(step.get("pattern"), "Regex", " {2,}") &&
         (is_text(step, "content", " ") || is_text(step, "content", kSpaceMark));
}

bool replaces_spaces(const Json& step) {
  return is_text(step, "type", "Replace") && is_text(step.get("pattern"), "String", " ") &&
         is_text(step, "content", kSpaceMark);
}

bool prepends_mark(const Json& step) {
  return is_text(step, "type", "Prepend") && is_text(step, "prepend", kSpaceMark);
}

bool is_metaspace(const Json& step) {
  return is_text(step, "type", "Metaspace") &&
         (is_text(step, "replacement", kSpaceMark) || step.get("replacement").is_null());
}

// Gemma's pre-tokenizer: its normalizer leaves no space to split at.
bool splits_at_spaces(const Json& step) {
  return is_text(step, "type", "Split") && is_text(step.get("pattern"), "String", " ");
}

// Steps in the order in which SentencePiece has them.
enum class Stage : uint8_t { before, mapped, joined, stripped, marked };

struct Normalizer {
  Stage stage = Stage::before;
  bool joins = false, strips_right = false, prepends = false, replaces = false;
};

Status read_character_map(const Json& step, SentencePieceSettings& settings) {
  const std::string* map = step.get("precompiled_charsmap").as_string();
  auto decoded = map ? decode_base64(*map) : std::nullopt;
  if (!decoded) return format_error(Reason::malformed, 0, "precompiled_charsmap is not base64");
  settings.character_map = *std::move(decoded);
  return {};
}

// Takes one step. Returns false if it is not one of SentencePiece's, or comes too late to be one.
Result<bool> take_step(const Json& step, SentencePieceSettings& settings, Normalizer& normalizer) {
  Stage stage = Stage::marked;
  if (is_text(step, "type", "Precompiled") && normalizer.stage == Stage::before) {
    stage = Stage::mapped;
    QUINTET_CHECK(read_character_map(step, settings));
  } else if (joins_spaces(step)) {
    stage = Stage::joined;
    normalizer.joins = true;
  } else if (is_text(step, "type", "Strip") && normalizer.stage != Stage::before &&
             is_flag(step, "strip_right", true, true)) {
    stage = Stage::stripped;
    normalizer.strips_right = true;
  } else if (prepends_mark(step)) {
    normalizer.prepends = true;
  } else if (replaces_spaces(step)) {
    normalizer.replaces = true;
  } else {
    return false;
  }
  // Runs are joined before or after the end is stripped, with the same result.
  if (stage < normalizer.stage && !(stage == Stage::joined && normalizer.stage == Stage::stripped)) return false;
  normalizer.stage = std::max(normalizer.stage, stage);
  return true;
}

Status read_steps(const Json& json, TokenizerDescription& description, Normalizer& normalizer) {
  for (const Json* step : steps_of(json, kNormalizers)) {
    QUINTET_TRY(const bool is_taken, take_step(*step, *description.sentencepiece()->settings, normalizer));
    if (is_taken) continue;
    if (normalizer.stage != Stage::before) return unsupported_part("normalizer", *step, kSupported);
    QUINTET_TRY(NormalizerStep other, read_normalizer_step(*step));
    description.normalizer.push_back(std::move(other));
  }
  return {};
}

// A mark in front of every part of a text, of the first, or of none, unless there is one (huggingface/tokenizers,
// pre_tokenizers/metaspace.rs).
Status read_metaspace(const Json& step, SentencePieceSettings& settings) {
  const std::string* scheme = step.get("prepend_scheme").as_string();
  const bool adds = is_flag(step, "add_prefix_space", true, true);
  const std::string name = scheme ? *scheme : adds ? "always" : "never";
  if (name != "always" && name != "first" && name != "never") {
    return unsupported_part("pre_tokenizer", step, "the schemes always, first and never");
  }
  settings.add_dummy_prefix = name != "never" && adds;
  settings.prefixes_every_part = name == "always";
  settings.prefixes_first_part = name == "first";
  settings.prefixes_no_space = true;
  settings.splits_words = is_flag(step, "split", true, true);
  return {};
}

}  // namespace

bool marks_spaces(const Json& tokenizer) {
  const auto has_mark = [](const Json* step) { return is_metaspace(*step) || replaces_spaces(*step); };
  return std::ranges::any_of(steps_of(tokenizer.get("normalizer"), kNormalizers), has_mark) ||
         std::ranges::any_of(steps_of(tokenizer.get("pre_tokenizer"), kPreTokenizers), has_mark);
}

Status read_spaces(const Json& tokenizer, TokenizerDescription& description) {
  SentencePieceSettings& settings = description.sentencepiece()->settings.emplace();
  Normalizer normalizer;
  QUINTET_CHECK(read_steps(tokenizer.get("normalizer"), description, normalizer));
  const Json& pre_tokenizer = tokenizer.get("pre_tokenizer");
  const std::vector<const Json*> steps = steps_of(pre_tokenizer, kPreTokenizers);
  const bool parts_words = steps.size() == 2 && is_text(*steps[0], "type", "WhitespaceSplit");
  const bool is_normalized =
      normalizer.replaces && (steps.empty() || (steps.size() == 1 && splits_at_spaces(*steps[0])));
  if (is_normalized) {
    settings.add_dummy_prefix = settings.prefixes_every_part = normalizer.prepends;
  } else if (steps.size() == (parts_words ? 2 : 1) && is_metaspace(*steps.back()) &&
             normalizer.stage != Stage::marked) {
    QUINTET_CHECK(read_metaspace(*steps.back(), settings));
    if (parts_words && !settings.prefixes_every_part) {
      return unsupported_part("pre_tokenizer", pre_tokenizer, "words that begin with a space");
    }
  } else {
    return unsupported_part("pre_tokenizer", pre_tokenizer, kSupported);
  }
  settings.as_huggingface = true;
  settings.remove_extra_whitespaces = normalizer.joins;
  settings.keeps_trailing_space = !normalizer.strips_right;
  settings.splits_white_space = parts_words;
  return {};
}

}  // namespace quintet::huggingface
