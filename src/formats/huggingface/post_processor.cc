#include "formats/huggingface/post_processor.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace quintet::huggingface {
namespace {

using Kind = FramePart::Kind;

// Far more than any model has. They are added to every text.
constexpr size_t kMaxParts = 64;

Failure malformed() { return format_error(Reason::malformed, 0, "the post-processor must contain each text once"); }

template <class Integer>
Result<Integer> number(const Json& value) {
  const auto number = value.as_uint();
  if (number && *number <= std::numeric_limits<Integer>::max()) return static_cast<Integer>(*number);
  return malformed();
}

// `special_tokens` maps names to tokens: {"[CLS]": {"ids": [101], ...}, ...}
Status add_tokens(const Json& processor, std::string_view name, FramePart part, std::vector<FramePart>& frame) {
  const Json* names = processor.find("special_tokens");
  const Json* named = names ? names->find(name) : nullptr;
  const Json* ids = named ? named->find("ids") : nullptr;
  if (!ids || !ids->as_array()) return malformed();
  for (const Json& id : *ids->as_array()) {
    QUINTET_TRY(part.id, number<uint32_t>(id));
    frame.push_back(part);
  }
  return {};
}

// {"SpecialToken": {"id": "[CLS]", "type_id": 0}} or {"Sequence": {"id": "A", "type_id": 0}}
Status add_part(const Json& processor, const Json& json, std::vector<FramePart>& frame) {
  const Json* text = json.find("Sequence");
  const Json* either = text ? text : json.find("SpecialToken");
  const Json* id = either ? either->find("id") : nullptr;
  const std::string* name = id ? id->as_string() : nullptr;
  if (!name) return malformed();
  FramePart part;
  if (const Json* type = either->find("type_id")) {
    QUINTET_TRY(part.type, number<uint8_t>(*type));
  }
  if (!text) return add_tokens(processor, *name, part, frame);
  part.kind = *name == "A" ? Kind::first : Kind::second;
  frame.push_back(part);
  return {};
}

// The list under `key`; empty if there is none. Some tokenizers are not meant for pairs, and have an empty list for
// them.
Result<std::vector<FramePart>> read_parts(const Json& processor, std::string_view key, ptrdiff_t second_texts) {
  std::vector<FramePart> frame;
  const Json* parts = processor.find(key);
  if (!parts || !parts->as_array()) return frame;
  for (const Json& part : *parts->as_array()) {
    QUINTET_CHECK(add_part(processor, part, frame));
    if (frame.size() > kMaxParts) return malformed();
  }
  if (frame.empty() && second_texts != 0) return frame;
  if (std::ranges::count(frame, Kind::first, &FramePart::kind) == 1 &&
      std::ranges::count(frame, Kind::second, &FramePart::kind) == second_texts) {
    return frame;
  }
  return malformed();
}

Result<TextFrame> read_template(const Json& processor) {
  TextFrame frame;
  QUINTET_TRY(frame.single, read_parts(processor, "single", 0));
  QUINTET_TRY(frame.pair, read_parts(processor, "pair", 1));
  return frame;
}

// ["[CLS]", 101]
Result<uint32_t> read_token(const Json& processor, std::string_view key) {
  const Json* token = processor.find(key);
  const Json::Array* both = token ? token->as_array() : nullptr;
  return both && both->size() == 2 ? number<uint32_t>(both->back()) : malformed();
}

// RoBERTa separates a pair by two tokens and has no token types.
Result<TextFrame> read_bert(const Json& processor, bool roberta) {
  QUINTET_TRY(const uint32_t cls, read_token(processor, "cls"));
  QUINTET_TRY(const uint32_t sep, read_token(processor, "sep"));
  const auto second = static_cast<uint8_t>(roberta ? 0 : 1);
  TextFrame frame;
  frame.single = {{.id = cls}, {.kind = Kind::first}, {.id = sep}};
  frame.pair = frame.single;
  if (roberta) frame.pair.push_back({.id = sep});
  frame.pair.push_back({.kind = Kind::second, .type = second});
  frame.pair.push_back({.id = sep, .type = second});
  return frame;
}

Result<TextFrame> read_step(const Json& processor) {
  const Json* value = processor.find("type");
  const std::string* type = value ? value->as_string() : nullptr;
  if (type && *type == "TemplateProcessing") return read_template(processor);
  if (type && (*type == "BertProcessing" || *type == "RobertaProcessing")) {
    return read_bert(processor, *type == "RobertaProcessing");
  }
  // ByteLevel changes no ids.
  if (processor.is_null() || (type && *type == "ByteLevel")) return TextFrame();
  return unsupported_error("the post_processor is of the type {}", value ? write_json(*value) : "unknown");
}

}  // namespace

Result<TextFrame> read_frame(const Json& post_processor) {
  const Json* steps = post_processor.find("processors");
  if (!steps || !steps->as_array()) return read_step(post_processor);
  for (const Json& step : *steps->as_array()) {
    QUINTET_TRY(TextFrame frame, read_step(step));
    if (!frame.empty()) return frame;
  }
  return TextFrame();
}

size_t tokens_ahead(const TextFrame& frame) {
  const auto text = std::ranges::find(frame.single, Kind::first, &FramePart::kind);
  return static_cast<size_t>(text - frame.single.begin());
}

}  // namespace quintet::huggingface
