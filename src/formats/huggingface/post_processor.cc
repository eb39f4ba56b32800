#include "formats/huggingface/post_processor.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "formats/huggingface/token_list.h"

namespace quintet::huggingface {
namespace {

using Kind = FramePart::Kind;

// Far more than any model's. The tokens of a frame are sought in the whole vocabulary, and stand around every text.
constexpr size_t kMaxParts = 64;

std::unexpected<Error> malformed() {
  return format_error(Reason::malformed, 0, "the post-processor does not put tokens around each text once");
}

template <class Integer>
Result<Integer> number(const Json& value) {
  const auto number = value.as_uint();
  if (number && *number <= std::numeric_limits<Integer>::max()) return static_cast<Integer>(*number);
  return malformed();
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
      if (!sequence && !token) return malformed();
      QUINTET_CHECK(sequence ? add(*sequence, true, frame) : add(*token, false, frame));
      if (frame.size() > kMaxParts) return malformed();
    }
    const auto count = [&](Kind kind) {
      return static_cast<size_t>(std::ranges::count(frame, kind, &FramePart::kind));
    };
    if (count(Kind::first) != 1 || count(Kind::second) != texts - 1) return malformed();
    return frame;
  }

 private:
  Status add(const Json& part, bool is_text, std::vector<FramePart>& frame) const {
    const Json* id = part.find("id");
    const Json* type_id = part.find("type_id");
    const std::string* name = id ? id->as_string() : nullptr;
    if (!name) return malformed();
    FramePart added;
    if (type_id) {
      QUINTET_TRY(added.type, number<uint8_t>(*type_id));
    }
    if (is_text) {
      added.kind = *name == "A" ? Kind::first : Kind::second;
      frame.push_back(added);
      return {};
    }
    QUINTET_TRY(const std::vector<uint32_t> ids, ids_of(*name));
    for (const uint32_t each : ids) {
      added.id = each;
      frame.push_back(added);
    }
    return {};
  }

  // `special_tokens` says which tokens a name stands for; usually it is the token's own text.
  Result<std::vector<uint32_t>> ids_of(const std::string& name) const {
    std::vector<uint32_t> ids;
    const Json* named = names_ ? names_->find(name) : nullptr;
    const Json* listed = named ? named->find("ids") : nullptr;
    if (listed && listed->as_array()) {
      for (const Json& each : *listed->as_array()) {
        QUINTET_TRY(const uint32_t id, number<uint32_t>(each));
        ids.push_back(id);
      }
    } else if (const auto id = id_of(tokenizer_, name)) {
      ids.push_back(*id);
    } else {
      return format_error(Reason::missing, 0, "the post-processor names \"" + name + "\", which is no token");
    }
    return ids;
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
  return both && both->size() == 2 ? number<uint32_t>(both->back()) : malformed();
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
  const Json* value = processor.find("type");
  const std::string* type = value ? value->as_string() : nullptr;
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
