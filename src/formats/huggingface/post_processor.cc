#include "formats/huggingface/post_processor.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/huggingface/token_list.h"

namespace quintet::huggingface {
namespace {

using Kind = FramePart::Kind;

// Far more than any model's. The tokens of a frame are sought in the whole vocabulary, and stand around every text.
constexpr size_t kMaxParts = 64;

std::unexpected<Error> wrong(Reason reason, std::string_view problem) {
  return format_error(reason, 0, "the post-processor " + std::string(problem));
}

const std::string* text_of(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value ? value->as_string() : nullptr;
}

class TemplateReader {
 public:
  TemplateReader(const Json& template_processing, const TokenizerDescription& tokenizer)
      : names_(template_processing.find("special_tokens")), tokenizer_(tokenizer) {}

  // `parts`: [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, ...]
  Result<std::vector<FramePart>> read(const Json::Array& parts, size_t texts) const {
    std::vector<FramePart> frame;
    for (const Json& part : parts) {
      const Json* sequence = part.find("Sequence");
      const Json* token = part.find("SpecialToken");
      if (!sequence && !token) return wrong(Reason::malformed, "has a part that is neither a token nor a text");
      QUINTET_CHECK(sequence ? add_text(*sequence, frame) : add_tokens(*token, frame));
      if (frame.size() > kMaxParts) return wrong(Reason::limit, "puts too many tokens around a text");
    }
    const auto count = [&](Kind kind) { return std::ranges::count(frame, kind, &FramePart::kind); };
    if (count(Kind::first) == 1 && count(Kind::second) == static_cast<ptrdiff_t>(texts) - 1) return frame;
    return wrong(Reason::malformed, "does not have each text once");
  }

 private:
  static Result<uint8_t> type_of(const Json& part) {
    const Json* type = part.find("type_id");
    const auto number = type ? type->as_uint() : 0;
    if (number && *number <= UINT8_MAX) return static_cast<uint8_t>(*number);
    return wrong(Reason::malformed, "has a type_id that is none");
  }

  static Status add_text(const Json& sequence, std::vector<FramePart>& frame) {
    const std::string* name = text_of(sequence, "id");
    if (!name || (*name != "A" && *name != "B")) return wrong(Reason::malformed, "has a text that is neither A nor B");
    QUINTET_TRY(const uint8_t type, type_of(sequence));
    frame.push_back({.kind = *name == "A" ? Kind::first : Kind::second, .type = type});
    return {};
  }

  // `special_tokens` says which tokens a name stands for; usually it is the token's own text.
  Status add_tokens(const Json& token, std::vector<FramePart>& frame) const {
    const std::string* name = text_of(token, "id");
    if (!name) return wrong(Reason::malformed, "has a token without a name");
    QUINTET_TRY(const uint8_t type, type_of(token));
    const Json* named = names_ ? names_->find(*name) : nullptr;
    const Json* ids = named ? named->find("ids") : nullptr;
    if (ids && ids->as_array()) {
      for (const Json& each : *ids->as_array()) {
        const auto id = each.as_uint();
        if (!id || *id > UINT32_MAX) return wrong(Reason::malformed, "has a token with an id that is none");
        frame.push_back({.id = static_cast<uint32_t>(*id), .type = type});
      }
      return {};
    }
    const auto id = id_of(tokenizer_, *name);
    if (!id) return wrong(Reason::missing, "names \"" + *name + "\", which is no token");
    frame.push_back({.id = *id, .type = type});
    return {};
  }

  const Json* names_;
  const TokenizerDescription& tokenizer_;
};

Result<std::optional<TextFrame>> read_template(const Json& processor, const TokenizerDescription& tokenizer) {
  const Json* single = processor.find("single");
  const Json* pair = processor.find("pair");
  if (!single || !single->as_array()) return std::nullopt;
  const TemplateReader reader(processor, tokenizer);
  TextFrame frame;
  QUINTET_TRY(frame.single, reader.read(*single->as_array(), 1));
  if (pair && pair->as_array()) {
    QUINTET_TRY(frame.pair, reader.read(*pair->as_array(), 2));
  }
  return frame;
}

// ["[CLS]", 101]
Result<uint32_t> read_token(const Json& processor, std::string_view key) {
  const Json* token = processor.find(key);
  const Json::Array* both = token ? token->as_array() : nullptr;
  const auto id = both && both->size() == 2 ? (*both)[1].as_uint() : std::nullopt;
  if (id && *id <= UINT32_MAX) return static_cast<uint32_t>(*id);
  return wrong(Reason::malformed, "lacks the token \"" + std::string(key) + "\"");
}

// RoBERTa parts a pair by two tokens, and tells its texts not apart.
Result<std::optional<TextFrame>> read_bert(const Json& processor, bool roberta) {
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

Result<std::optional<TextFrame>> read_step(const Json& processor, const TokenizerDescription& tokenizer) {
  const std::string* type = text_of(processor, "type");
  if (type && *type == "TemplateProcessing") return read_template(processor, tokenizer);
  if (type && (*type == "BertProcessing" || *type == "RobertaProcessing")) {
    return read_bert(processor, *type == "RobertaProcessing");
  }
  return std::nullopt;  // ByteLevel, which changes no ids
}

}  // namespace

Result<std::optional<TextFrame>> read_frame(const Json& post_processor, const TokenizerDescription& tokenizer) {
  const Json* steps = post_processor.find("processors");
  if (!steps || !steps->as_array()) return read_step(post_processor, tokenizer);
  for (const Json& step : *steps->as_array()) {
    QUINTET_TRY(std::optional<TextFrame> frame, read_step(step, tokenizer));
    if (frame) return frame;
  }
  return std::nullopt;
}

size_t tokens_ahead(const TextFrame& frame) {
  const auto text = std::ranges::find(frame.single, Kind::first, &FramePart::kind);
  return static_cast<size_t>(text - frame.single.begin());
}

}  // namespace quintet::huggingface
