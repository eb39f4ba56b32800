#include "formats/huggingface/bpe_pipeline.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "formats/pre_tokenizers.h"

namespace quintet::huggingface {
namespace {

constexpr std::string_view kSpaceMark = "\u2581";
constexpr size_t kMaxShown = 200;  // bytes of a part in an error's text

std::unexpected<Error> unsupported(std::string_view part, const Json& value) {
  std::string text = write_json(value);
  if (text.size() > kMaxShown) {
    size_t end = kMaxShown;
    while (is_utf8_continuation(text[end])) --end;
    text = text.substr(0, end) + "...";
  }
  return unsupported_error(
      "the tokenizer's " + std::string(part) + " is " + text +
      "; supported are BPE over bytes as in GPT-2, Llama 3, Qwen 2 and StarCoder, and SentencePiece's BPE");
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

// Whether what the expression matches are the words. All of ours match every character, so that it is one whether the
// rest is kept, or what is matched is.
bool parts_matches(const Json& split) {
  if (!is_text(split, "type", "Split")) return false;
  const bool inverted = is_flag(split, "invert", true, false);
  return is_text(split, "behavior", inverted ? "Removed" : "Isolated");
}

// How words are parted before bytes are merged, by the names of formats/pre_tokenizers.h; empty where it is none of
// ours.
std::string_view byte_level_pre_tokenizer(const Json& pre_tokenizer) {
  if (is_byte_level(pre_tokenizer, true)) return kGpt2PreTokenizer;
  const Json::Array* steps = two_of(pre_tokenizer, "pretokenizers");
  if (!steps) return {};
  if (parts_digits((*steps)[0]) && is_byte_level((*steps)[1], true)) return kStarcoderPreTokenizer;
  const Json& split = (*steps)[0];
  if (!is_byte_level((*steps)[1], false) || !parts_matches(split)) return {};
  const std::string* regex = part(part(split, "pattern"), "Regex").as_string();
  return regex ? pre_tokenizer_of_regex(*regex) : std::string_view();
}

// Whether all that the normalizer does is NFC, and in `nfc` whether it does that. A list of steps may be empty.
bool normalizes_to_nfc_alone(const Json& normalizer, bool& nfc) {
  if (is_text(normalizer, "type", "Sequence")) {
    const Json::Array* steps = part(normalizer, "normalizers").as_array();
    return steps && std::ranges::all_of(*steps, [&](const Json& step) { return normalizes_to_nfc_alone(step, nfc); });
  }
  const bool is_nfc = is_text(normalizer, "type", "NFC");
  nfc |= is_nfc;
  return is_nfc || normalizer.is_null();
}

// The template by which special tokens are put around a text; null where the post-processor has none.
const Json* template_of(const Json& post_processor) {
  if (is_text(post_processor, "type", "TemplateProcessing")) return &part(post_processor, "single");
  const Json::Array* steps =
      is_text(post_processor, "type", "Sequence") ? part(post_processor, "processors").as_array() : nullptr;
  for (size_t i = 0; steps && i < steps->size(); ++i) {
    if (is_text((*steps)[i], "type", "TemplateProcessing")) return &part((*steps)[i], "single");
  }
  return nullptr;
}

// What stands behind the text is of no use to a decoder, which is to go on with it.
Status read_bos(const Json& post_processor, BpePipeline& pipeline) {
  const Json* single = template_of(post_processor);
  if (!single || !single->as_array()) return {};
  pipeline.add_bos = false;
  for (const Json& piece : *single->as_array()) {
    const Json* special = piece.find("SpecialToken");
    const std::string* id = special ? part(*special, "id").as_string() : nullptr;
    if (!id) return {};
    if (*pipeline.add_bos) return unsupported("post_processor", *single);
    pipeline.add_bos = true;
    pipeline.bos = *id;
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
  BpePipeline pipeline;
  QUINTET_CHECK(read_bos(part(tokenizer, "post_processor"), pipeline));
  pipeline.ignore_merges = is_flag(model, "ignore_merges", true, false);
  if (is_flag(model, "byte_fallback", true, false)) {
    if (pipeline.ignore_merges) return unsupported("ignore_merges", true);
    pipeline.kind = BpeKind::sentencepiece;
    if (marks_spaces(normalizer, pre_tokenizer)) return pipeline;
    return unsupported(normalizer.is_null() ? "pre_tokenizer" : "normalizer",
                       normalizer.is_null() ? pre_tokenizer : normalizer);
  }
  if (!normalizes_to_nfc_alone(normalizer, pipeline.nfc)) return unsupported("normalizer", normalizer);
  pipeline.pre_tokenizer = byte_level_pre_tokenizer(pre_tokenizer);
  if (pipeline.pre_tokenizer.empty()) return unsupported("pre_tokenizer", pre_tokenizer);
  if (!pipeline.add_bos) pipeline.add_bos = false;
  return pipeline;
}

}  // namespace quintet::huggingface
