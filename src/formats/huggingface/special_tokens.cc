#include "formats/huggingface/special_tokens.h"

#include <string>

namespace quintet::huggingface {
namespace {

struct Special {
  std::string_view token_key, id_key;
  std::optional<uint32_t> SpecialIds::* id;
};
constexpr Special kSpecials[] = {{"bos_token", "bos_token_id", &SpecialIds::bos},
                                 {"eos_token", "eos_token_id", &SpecialIds::eos},
                                 {"pad_token", "pad_token_id", &SpecialIds::pad},
                                 {"unk_token", "unk_token_id", &SpecialIds::unk}};

std::optional<uint32_t> id_of(const TokenizerDescription& tokenizer, std::string_view text) {
  for (size_t i = 0; i < tokenizer.tokens.size(); ++i) {
    if (tokenizer.tokens[i] == text) return tokenizer.ids.empty() ? static_cast<uint32_t>(i) : tokenizer.ids[i];
  }
  return std::nullopt;
}

std::unexpected<Error> malformed(std::string_view key, const Json& value) {
  return format_error(Reason::malformed, 0, std::string(key) + " is " + write_json(value));
}

}  // namespace

Status set_named_specials(const Json& file, TokenizerDescription& tokenizer) {
  for (const Special& special : kSpecials) {
    const Json* value = file.find(special.token_key);
    if (!value || value->is_null()) continue;
    const Json* content = value->find("content");  // the text itself, or an object with it
    const std::string* text = (content ? content : value)->as_string();
    if (!text) return malformed(special.token_key, *value);
    if (const auto id = id_of(tokenizer, *text)) tokenizer.special.*special.id = id;
  }
  return {};
}

Status fill_special_ids(const Json& config, TokenizerDescription& tokenizer) {
  for (const Special& special : kSpecials) {
    const Json* value = config.find(special.id_key);
    if (!value || value->is_null() || tokenizer.special.*special.id) continue;
    const Json::Array* several = value->as_array();  // any of them ends a text; there is room for one
    if (several && several->empty()) continue;
    const auto id = (several ? several->front() : *value).as_uint();
    if (!id || *id > UINT32_MAX) return malformed(special.id_key, *value);
    tokenizer.special.*special.id = static_cast<uint32_t>(*id);
  }
  return {};
}

}  // namespace quintet::huggingface
